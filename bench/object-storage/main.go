// Serves object storage from memory on a free port of the loopback, and prints its address. Each answer takes at least the time in the
// only argument, such as 20ms. It ends with its standard input.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

func main() {
	latency, err := time.ParseDuration(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	storage := gofakes3.New(s3mem.New(), gofakes3.WithAutoBucket(true), gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(http.Serve(listener, http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		time.Sleep(latency)
		storage.ServeHTTP(answer, request)
	})))
}
