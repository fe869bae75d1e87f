// Stands in for Pulumi's host of Go programs, which is not published as a Go module: runs the Go program in the project's folder.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

type host struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	engine string
}

func main() {
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Init: func(server *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(server, host{engine: os.Args[len(os.Args)-1]})
			return nil
		},
	})
	if err == nil {
		fmt.Println(handle.Port)
		err = <-handle.Done
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (host) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{Version: "0.0.0"}, nil
}

func (host) GetRequiredPlugins(context.Context, *pulumirpc.GetRequiredPluginsRequest) (*pulumirpc.GetRequiredPluginsResponse, error) {
	return &pulumirpc.GetRequiredPluginsResponse{}, nil
}

func (h host) Run(ctx context.Context, request *pulumirpc.RunRequest) (*pulumirpc.RunResponse, error) {
	config, err := json.Marshal(request.GetConfig())
	if err != nil {
		return nil, err
	}
	secretKeys, err := json.Marshal(request.GetConfigSecretKeys())
	if err != nil {
		return nil, err
	}
	program := exec.CommandContext(ctx, "go", "run", ".")
	program.Dir = request.GetPwd()
	program.Stdout, program.Stderr = os.Stderr, os.Stderr
	program.Env = append(os.Environ(),
		"PULUMI_ORGANIZATION="+request.GetOrganization(),
		"PULUMI_PROJECT="+request.GetProject(),
		"PULUMI_STACK="+request.GetStack(),
		"PULUMI_CONFIG="+string(config),
		"PULUMI_CONFIG_SECRET_KEYS="+string(secretKeys),
		"PULUMI_PARALLEL="+strconv.Itoa(int(request.GetParallel())),
		"PULUMI_DRY_RUN="+strconv.FormatBool(request.GetDryRun()),
		"PULUMI_MONITOR="+request.GetMonitorAddress(),
		"PULUMI_ENGINE="+h.engine,
	)
	if err := program.Run(); err != nil {
		return &pulumirpc.RunResponse{Error: "go run: " + err.Error()}, nil
	}
	return &pulumirpc.RunResponse{}, nil
}
