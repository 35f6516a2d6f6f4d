extension kubernetes as k8s
