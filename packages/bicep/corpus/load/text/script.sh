#!/bin/sh
echo 'hi'
