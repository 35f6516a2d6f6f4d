using something
extends
