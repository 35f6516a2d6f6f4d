package main

import (
	"errors"
	"net/url"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

func (c *cluster) startEtcd() (*embed.Etcd, error) {
	anyPort := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir = c.path("etcd")
	config.ListenClientUrls, config.AdvertiseClientUrls = anyPort, anyPort
	config.ListenPeerUrls, config.AdvertisePeerUrls = anyPort, anyPort
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.LogLevel, config.LogOutputs = "error", []string{"stderr"}
	// The data survives the death of the process, only not of the machine: right for tests.
	config.UnsafeNoFsync = true
	// The only member elects itself, and need not wait for others to do so.
	config.TickMs, config.ElectionMs = 10, 100
	config.QuotaBackendBytes = 4 << 30
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return nil, err
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return etcd, nil
	case err := <-etcd.Err():
		return nil, err
	case <-time.After(startTimeout):
		return nil, errors.New("not ready in time")
	}
}
