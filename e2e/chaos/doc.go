// Package chaos has only tests. Buyers purchase without pause on several replicas behind a balancer, while replicas and
// the database are killed, frozen and restarted, and while the next release replaces this one. No acknowledged purchase
// may be lost or made twice.
package chaos
