"""What `bench` is made of: a cluster, servers, measurements, and their report."""
