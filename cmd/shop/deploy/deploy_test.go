//go:build linux

// Package deploy_test checks the files that deploy the shop: the image, the units of systemd, and the files for Compose
// and Kubernetes.
package deploy_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"

	"marquee/server/app"
	"marquee/server/durations"
	"marquee/simulators"
)

// command runs a program and returns its output; a failure ends the test.
func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s %s: %s", name, strings.Join(args, " "), stderr.String())
	return strings.TrimSpace(string(out))
}

// imageFolder contains the images that buildImages has built, "" until then.
var imageFolder string

// buildImages builds the images of both programs, as make image does.
var buildImages = sync.OnceValue(func() (err error) {
	if imageFolder, err = os.MkdirTemp("", "marquee-images-"); err != nil {
		return err
	}
	cmd := exec.Command("go", "run", "./cmd/shop/deploy/release", "-only", "images", "-version", "v1.2.3",
		"-platforms", "linux/"+runtime.GOARCH, "-out", imageFolder)
	cmd.Dir = "../../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
})

func TestMain(m *testing.M) {
	status := m.Run()
	if imageFolder != "" {
		_ = os.RemoveAll(imageFolder)
	}
	os.Exit(status)
}

// imageOf unpacks the image of a program into a folder that another user can reach, and returns the folder.
func imageOf(t *testing.T, program string) (root string, config runtimeConfig) {
	t.Helper()
	require.NoError(t, buildImages())
	root = t.TempDir()
	require.NoError(t, os.Chmod(root, 0o755))
	for parent := filepath.Dir(root); len(parent) > len(os.TempDir()); parent = filepath.Dir(parent) {
		require.NoError(t, os.Chmod(parent, 0o755))
	}
	config = unpackImage(t, filepath.Join(imageFolder, program+".oci.tar"), root)
	assert.Equal(t, "65532:65532", config.Config.User)
	assert.Equal(t, "SIGTERM", config.Config.StopSignal)
	require.Equal(t, []string{"/" + program}, config.Config.Entrypoint)
	return root, config
}

// unpack extracts a tar file.
func unpack(t *testing.T, from io.Reader, dir string) {
	t.Helper()
	r := tar.NewReader(from)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		path := filepath.Join(dir, h.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		mode := os.FileMode(h.Mode & 0o777)
		if h.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(path, mode))
		} else {
			content, err := io.ReadAll(r)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, content, mode))
		}
		if os.Getuid() == 0 {
			require.NoError(t, os.Chown(path, h.Uid, h.Gid))
		}
	}
}

// descriptor identifies a blob of the OCI layout.
type descriptor struct{ Digest string }

func readBlob(t *testing.T, layout string, d descriptor, into any) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(layout, "blobs", strings.ReplaceAll(d.Digest, ":", "/")))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(content, into))
}

// runtimeConfig is the part of an image's configuration that a container runtime reads.
type runtimeConfig struct {
	Config struct {
		User, StopSignal string
		Env, Entrypoint  []string
		ExposedPorts     map[string]any
		Labels           map[string]string
	}
	Created time.Time
}

// unpackImage unpacks the layers of the only image of a tar file into a folder.
func unpackImage(t *testing.T, file, root string) runtimeConfig {
	t.Helper()
	layout := t.TempDir()
	packed, err := os.Open(file)
	require.NoError(t, err)
	defer packed.Close()
	unpack(t, packed, layout)
	var index struct{ Manifests []descriptor }
	content, err := os.ReadFile(filepath.Join(layout, "index.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(content, &index))
	require.Len(t, index.Manifests, 1)
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	readBlob(t, layout, index.Manifests[0], &manifest)
	for _, l := range manifest.Layers {
		blob, err := os.Open(filepath.Join(layout, "blobs", strings.ReplaceAll(l.Digest, ":", "/")))
		require.NoError(t, err)
		defer blob.Close()
		content, err := gzip.NewReader(blob)
		require.NoError(t, err)
		unpack(t, content, root)
	}
	var config runtimeConfig
	readBlob(t, layout, manifest.Config, &config)
	return config
}

// inRoot prepares a program that runs with another root folder, as the unprivileged user of the image: with chroot for
// root, in a user namespace for another user.
func inRoot(ctx context.Context, root string, config runtimeConfig, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, config.Config.Entrypoint[0], args...)
	cmd.Env, cmd.Dir = append(config.Config.Env, env...), "/data"
	user, _ := strconv.Atoi(strings.Split(config.Config.User, ":")[0])
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(user), Gid: uint32(user)}
		return cmd
	}
	cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
	cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: user, HostID: os.Getuid(), Size: 1}}
	cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: user, HostID: os.Getgid(), Size: 1}}
	return cmd
}

var adminAddress = regexp.MustCompile(`"msg":"shop started",.*"admin":"http://([0-9.:]+)"`)

func TestImage_StartsInABareRoot(t *testing.T) {
	root, config := imageOf(t, "shop")
	assert.Equal(t, "v1.2.3", config.Config.Labels["org.opencontainers.image.version"])
	assert.Len(t, config.Config.Labels["org.opencontainers.image.revision"], 40)
	assert.Contains(t, config.Config.ExposedPorts, "8081/tcp")
	assert.Greater(t, config.Created.Year(), 2025)
	var bill struct {
		BOMFormat  string `json:"bomFormat"`
		Components []struct{ Name, Version, PURL string }
	}
	content, err := os.ReadFile(filepath.Join(root, "sbom.cdx.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(content, &bill))
	assert.Equal(t, "CycloneDX", bill.BOMFormat)
	assert.Greater(t, len(bill.Components), 50)
	assert.Contains(t, string(content), `"pkg:golang/github.com/go-chi/chi/v5@v5.`)
	assert.Contains(t, string(content), `"pkg:npm/react-dom@`)
	notices, err := os.ReadFile(filepath.Join(root, "THIRD_PARTY_NOTICES.txt"))
	require.NoError(t, err)
	assert.Contains(t, string(notices), "Copyright (c) Meta Platforms, Inc. and affiliates.")
	assert.Contains(t, string(notices), "Copyright (c) 2015-present Peter Kieltyka")

	sims := simulators.StartForTest(t)
	env := []string{"MARQUEE_SIMULATOR_URL=" + sims.URL(), "MARQUEE_ADDR=127.0.0.1:0", "MARQUEE_ADMIN_ADDR=127.0.0.1:0",
		"TZ=Asia/Shanghai"}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	shop := inRoot(ctx, root, config, env)
	logFile, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	shop.Stderr = logFile
	shop.Cancel = func() error { return shop.Process.Signal(syscall.SIGTERM) }
	require.NoError(t, shop.Start())
	log := func() string { text, _ := os.ReadFile(logFile.Name()); return string(text) }
	require.Eventually(t, func() bool { return adminAddress.MatchString(log()) }, time.Minute, 10*time.Millisecond, log)
	probe := []string{"MARQUEE_ADMIN_ADDR=" + adminAddress.FindStringSubmatch(log())[1]}
	out, err := inRoot(ctx, root, config, probe, "healthcheck").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, "ready\n", string(out))
	assert.Contains(t, log(), "+08:00", "the image has no time zones")
	require.NoError(t, shop.Process.Signal(syscall.SIGTERM))
	require.NoError(t, shop.Wait(), log())
	out, err = inRoot(ctx, root, config, probe, "healthcheck").CombinedOutput()
	require.Error(t, err, "%s", out)
	assert.Equal(t, 1, err.(*exec.ExitError).ExitCode())
	assert.FileExists(t, filepath.Join(root, "data/marquee.db"))
}

// The image of the simulators runs the entire shop in an empty file system: its web app, its state and its certificate
// authority need no other file. It passes its readiness check, and stops at the signal.
func TestImageOfTheSimulators_RunsTheShopInABareRoot(t *testing.T) {
	root, config := imageOf(t, "sim")
	port := func() string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		require.NoError(t, l.Close())
		return l.Addr().String()
	}
	address, shop := port(), port()
	env := []string{"MARQUEE_SIM_ADDR=" + address, "MARQUEE_ADDR=" + shop, "MARQUEE_ADMIN_ADDR=127.0.0.1:0",
		"MARQUEE_SIM_TLS_ADDR=127.0.0.1:0"}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	sim := inRoot(ctx, root, config, env)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	sim.Stdout, sim.Stderr = log, log
	sim.Cancel = func() error { return sim.Process.Signal(syscall.SIGTERM) }
	require.NoError(t, sim.Start())
	out, err := inRoot(ctx, root, config, env, "health", "-wait", "1m").CombinedOutput()
	text, _ := os.ReadFile(log.Name())
	require.NoError(t, err, "%s\n%s", out, text)
	for _, url := range []string{"http://" + address + "/", "http://" + shop + "/readyz", "http://" + shop + "/"} {
		resp, err := http.Get(url)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, errors.Join(err, resp.Body.Close()))
		assert.Equal(t, http.StatusOK, resp.StatusCode, "%s: %s", url, body)
	}
	require.NoError(t, sim.Process.Signal(syscall.SIGTERM))
	require.NoError(t, sim.Wait())
	out, err = inRoot(ctx, root, config, env, "health").CombinedOutput()
	require.Error(t, err, "%s", out)
}

// maxExposed is the highest exposure that systemd-analyze security may find: 0 is none, 10 is all.
const maxExposed = 2.0

func TestSystemd_UnitsAreValidAndConfined(t *testing.T) {
	t.Parallel()
	analyze := command(t, "../../../e2e/setup/debian-tool.sh", "systemd-analyze", "systemd", "libsystemd-shared",
		"libip4tc2",
		"libkmod2", "libapparmor1", "libcryptsetup12", "libseccomp2", "libdevmapper1.02.1", "libargon2-1", "libjson-c5")
	units, err := filepath.Glob("systemd/marquee*")
	require.NoError(t, err)
	require.Len(t, units, 5)
	backup, err := os.ReadFile("systemd/marquee-backup.service")
	require.NoError(t, err)
	var steps [][]string
	for _, step := range regexp.MustCompile(`(?m)^ExecStart=(.*)$`).FindAllStringSubmatch(string(backup), -1) {
		steps = append(steps, step[1:])
	}
	require.Len(t, steps, 3)
	requireBackupLeaves(t, steps)
	// A separate root folder, so that the machine's units and the missing program do not affect the result.
	root := t.TempDir()
	folder := filepath.Join(root, "etc/systemd/system")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "usr/local/bin"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "usr/bin"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(root, "etc/marquee"), 0o755))
	for _, program := range []string{"usr/local/bin/shop", "usr/bin/rclone", "etc/marquee/on-failure"} {
		require.NoError(t, os.WriteFile(filepath.Join(root, program), []byte("#!/bin/sh\n"), 0o755))
	}
	for _, of := range []string{"sysinit", "basic", "shutdown", "network-online", "sockets", "timers", "multi-user",
		"time-set", "time-sync", "umount", "local-fs"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, of+".target"), []byte("[Unit]\nDescription=stub\n"),
			0o600))
	}
	names := []string{"verify", "--man=no", "--root=" + root}
	for _, unit := range units {
		text, err := os.ReadFile(unit)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, filepath.Base(unit)), text, 0o600))
		names = append(names, filepath.Base(unit))
	}
	out, err := exec.CommandContext(t.Context(), analyze, names...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Empty(t, string(out))
	for _, unit := range units {
		if !strings.HasSuffix(unit, ".service") {
			continue
		}
		out := command(t, analyze, "security", "--no-pager", "--offline=true", "./"+unit)
		level := regexp.MustCompile(`Overall exposure level for \S+: ([0-9.]+)`).FindStringSubmatch(out)
		require.NotNil(t, level, out)
		exposure, err := strconv.ParseFloat(level[1], 64)
		require.NoError(t, err)
		assert.LessOrEqual(t, exposure, maxExposed, out)
	}
}

// Every secret that the shop needs is a credential, not a variable of the environment.
func TestSystemd_SecretsAreCredentials(t *testing.T) {
	t.Parallel()
	unit, err := os.ReadFile("systemd/marquee.service")
	require.NoError(t, err)
	loaded := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^(# )?LoadCredential=(\w+):/etc/marquee/secrets/(\w+)$`).
		FindAllStringSubmatch(string(unit), -1) {
		assert.Equal(t, line[2], line[3], "the shop finds a file by the name of its variable")
		loaded[line[2]] = line[1] == ""
	}
	for _, v := range app.Variables() {
		if v.Secret && v.Required != "" {
			assert.True(t, loaded[v.Name], "%s is not loaded", v.Name)
		}
		delete(loaded, v.Name)
	}
	assert.Empty(t, loaded, "not variables of the shop")
}

// The balancer of Compose shows buyers the maintenance page while no replica is ready, and otherwise the shop's
// answers.
func TestCompose_TheBalancerShowsThePageOfAMaintenance(t *testing.T) {
	t.Parallel()
	haproxy := command(t, "../../../e2e/setup/debian-tool.sh", "haproxy", "haproxy", "libraries", "libopentracing1")
	page, err := filepath.Abs("maintenance.html")
	require.NoError(t, err)
	text, err := os.ReadFile("compose/haproxy.cfg")
	require.NoError(t, err)
	var status atomic.Int64
	status.Store(http.StatusServiceUnavailable)
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" {
			w.WriteHeader(int(status.Load()))
			return
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "of the shop") // an error means that the client has gone
	}))
	t.Cleanup(shop.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	replaced := string(text)
	for from, to := range map[string]string{
		"bind :8080": "bind " + address, "/usr/local/etc/haproxy/maintenance.html": page,
		"server-template shop 3 shop:8080 resolvers docker init-addr none": "server shop " + shop.Listener.Addr().String(),
	} {
		require.Contains(t, replaced, from)
		replaced = strings.Replace(replaced, from, to, 1)
	}
	config := filepath.Join(t.TempDir(), "haproxy.cfg")
	require.NoError(t, os.WriteFile(config, []byte(replaced), 0o600))
	cmd := exec.CommandContext(t.Context(), haproxy, "-db", "-f", config)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }) // it is killed
	get := func(path string) (code int, header http.Header, body string) {
		resp, err := http.Get("http://" + address + path)
		if err != nil {
			return 0, nil, ""
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, resp.Header, string(text)
	}
	want, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Eventually(t, func() bool { _, _, body := get("/"); return body == string(want) }, time.Minute,
		10*time.Millisecond)
	code, header, _ := get("/film/12")
	assert.Equal(t, http.StatusServiceUnavailable, code)
	assert.Equal(t, "text/html; charset=utf-8", header.Get("Content-Type"))
	assert.Equal(t, "no-store", header.Get("Cache-Control"))
	status.Store(http.StatusOK)
	require.Eventually(t, func() bool { _, _, body := get("/"); return body == "of the shop" }, time.Minute,
		10*time.Millisecond)
}

// The drain and the delay before it end before systemd, Compose and Kubernetes kill the process.
func TestStopTimeouts_AreLongerThanTheDrain(t *testing.T) {
	t.Parallel()
	for file, setting := range map[string]string{
		"systemd/marquee.service":   `(?m)^TimeoutStopSec=(\d+)$`,
		"compose/compose.yaml":      `stop_grace_period: (\d+)s`,
		"kubernetes/marquee.yaml":   `terminationGracePeriodSeconds: (\d+)`,
		"compose/compose.yaml ":     `MARQUEE_DRAIN_DELAY: (\d+)s`,
		"kubernetes/marquee.yaml\t": `MARQUEE_DRAIN_DELAY: (\d+)s`,
	} {
		text, err := os.ReadFile(strings.TrimSpace(file))
		require.NoError(t, err)
		found := regexp.MustCompile(setting).FindStringSubmatch(string(text))
		require.NotNil(t, found, "%s in %s", setting, file)
		seconds, err := strconv.Atoi(found[1])
		require.NoError(t, err)
		if strings.Contains(setting, "DELAY") {
			assert.Less(t, time.Duration(seconds)*time.Second+durations.Drain, time.Minute, file)
		} else {
			assert.Equal(t, 60, seconds, file)
		}
	}
}

func TestCompose_IsValid(t *testing.T) {
	t.Parallel()
	options, err := cli.NewProjectOptions([]string{"compose/compose.yaml"}, cli.WithEnv([]string{"MARQUEE_VERSION=1"}))
	require.NoError(t, err)
	project, err := options.LoadProject(t.Context())
	require.NoError(t, err, "compose.yaml violates the schema of Compose")
	shop, err := project.GetService("shop")
	require.NoError(t, err)
	assert.Equal(t, 3, *shop.Deploy.Replicas)
	assert.Equal(t, []string{"CMD", "/shop", "healthcheck"}, []string(shop.HealthCheck.Test))
	assert.Equal(t, "service_completed_successfully", shop.DependsOn["migrate"].Condition)
	requireVariables(t, shop.Environment.Resolve(nil))
	assert.NotContains(t, project.ServiceNames(), "backup", "it runs only when it is asked for")
	withBackup, err := project.WithProfiles([]string{"backup"})
	require.NoError(t, err)
	var steps [][]string
	for _, name := range []string{"backup-write", "backup-send", "backup"} {
		service, err := withBackup.GetService(name)
		require.NoError(t, err)
		if len(steps) > 0 {
			before := []string{"backup-write", "backup-send"}[len(steps)-1]
			assert.Equal(t, "service_completed_successfully", service.DependsOn[before].Condition)
		}
		steps = append(steps, service.Command)
	}
	requireBackupLeaves(t, steps)
}

// requireBackupLeaves requires that a backup is written encrypted, then sent, and recorded only after that.
func requireBackupLeaves(t *testing.T, steps [][]string) {
	t.Helper()
	write, send, record := strings.Join(steps[0], " "), strings.Join(steps[1], " "), strings.Join(steps[2], " ")
	assert.Contains(t, write, "backup --keep=7 --unrecorded --encrypt-to=")
	assert.Contains(t, send, "copy")
	assert.Contains(t, record, "backup --made-by=")
}

// requireVariables requires that each variable of the shop exists.
func requireVariables[V any](t *testing.T, environment map[string]V) {
	t.Helper()
	known := map[string]bool{}
	for _, v := range app.Variables() {
		known[v.Name] = true
	}
	require.NotEmpty(t, environment)
	for name := range environment {
		assert.True(t, known[name] || !strings.HasPrefix(name, "MARQUEE_"), "%s is not a variable of the shop", name)
	}
}

// manifests are the objects of a file for Kubernetes by kind and name.
type manifests map[string]any

// readManifests decodes a file strictly: a field that the API does not have is an error.
func readManifests(t *testing.T, file string) manifests {
	t.Helper()
	kinds := map[string]func() any{
		"ConfigMap": func() any { return &corev1.ConfigMap{} }, "Secret": func() any { return &corev1.Secret{} },
		"Service": func() any { return &corev1.Service{} }, "Job": func() any { return &batchv1.Job{} },
		"CronJob":               func() any { return &batchv1.CronJob{} },
		"PersistentVolumeClaim": func() any { return &corev1.PersistentVolumeClaim{} },
		"Deployment":            func() any { return &appsv1.Deployment{} },
		"PodDisruptionBudget":   func() any { return &policyv1.PodDisruptionBudget{} },
		"NetworkPolicy":         func() any { return &networkingv1.NetworkPolicy{} },
		"Ingress":               func() any { return &networkingv1.Ingress{} },
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	found := manifests{}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var head struct {
			Kind     string
			Metadata struct{ Name string }
		}
		require.NoError(t, yaml.Unmarshal([]byte(document), &head))
		newObject, known := kinds[head.Kind]
		require.True(t, known, head.Kind)
		object, name := newObject(), head.Kind+" "+head.Metadata.Name
		require.NoError(t, yaml.UnmarshalStrict([]byte(document), object), "%s violates the schema", name)
		require.NotContains(t, found, name)
		found[name] = object
	}
	return found
}

// get returns an object of the manifests.
func get[T any](t *testing.T, m manifests, name string) T {
	t.Helper()
	object, ok := m[name].(T)
	require.True(t, ok, name)
	return object
}

func TestKubernetes_ManifestsAreValid(t *testing.T) {
	t.Parallel()
	m := readManifests(t, "kubernetes/marquee.yaml")
	deployment := get[*appsv1.Deployment](t, m, "Deployment marquee")
	assert.Equal(t, deployment.Spec.Selector.MatchLabels, deployment.Spec.Template.Labels)
	pod := deployment.Spec.Template.Spec
	assert.Equal(t, "/readyz", pod.Containers[0].ReadinessProbe.HTTPGet.Path)
	migrate := get[*batchv1.Job](t, m, "Job marquee-migrate").Spec.Template.Spec
	assert.Equal(t, []string{"migrate", "--grant-to=marquee"}, migrate.Containers[0].Args)
	backup := get[*batchv1.CronJob](t, m, "CronJob marquee-backup").Spec.JobTemplate.Spec.Template.Spec
	requireBackupLeaves(t, [][]string{
		backup.InitContainers[0].Args, backup.InitContainers[1].Args, backup.Containers[0].Args,
	})
	for _, workload := range []corev1.PodSpec{pod, backup, migrate} {
		assert.Equal(t, pod.SecurityContext, workload.SecurityContext)
		var mounted []string
		for _, volume := range workload.Volumes {
			mounted = append(mounted, volume.Name)
		}
		for _, c := range slices.Concat(workload.InitContainers, workload.Containers) {
			assert.Equal(t, pod.Containers[0].SecurityContext, c.SecurityContext)
			assert.NotEmpty(t, c.Resources.Limits)
			for _, mount := range c.VolumeMounts {
				assert.Contains(t, mounted, mount.Name)
			}
			if c.Image == pod.Containers[0].Image {
				assert.Contains(t, c.VolumeMounts, corev1.VolumeMount{Name: "database-ca", MountPath: "/etc/marquee"})
			}
		}
	}
	ingress := get[*networkingv1.Ingress](t, m, "Ingress marquee")
	get[*corev1.Service](t, m, "Service "+ingress.Spec.Rules[0].HTTP.Paths[0].Backend.Service.Name)
	page := readManifests(t, "kubernetes/maintenance.yaml")
	reserve := ingress.Annotations["nginx.ingress.kubernetes.io/default-backend"]
	assert.Equal(t, get[*corev1.Service](t, page, "Service "+reserve).Spec.Selector,
		get[*appsv1.Deployment](t, page, "Deployment "+reserve).Spec.Template.Labels)
	// The shop runs as another role than the owner of the schema, who migrates it. Both connect only with TLS.
	variables := get[*corev1.ConfigMap](t, m, "ConfigMap marquee").Data
	require.Equal(t, app.Production, variables["MARQUEE_ENV"])
	secrets := get[*corev1.Secret](t, m, "Secret marquee").StringData
	owner := get[*corev1.Secret](t, m, "Secret marquee-migrate").StringData["MARQUEE_DB"]
	assert.Contains(t, secrets["MARQUEE_DB"], "//marquee:")
	assert.Equal(t, "marquee-migrate", migrate.Containers[0].EnvFrom[1].SecretRef.Name)
	assert.Contains(t, owner, "//marquee_owner:")
	for _, db := range []string{secrets["MARQUEE_DB"], owner} {
		assert.Contains(t, db, "sslmode=verify-full")
	}
	maps.Copy(variables, secrets)
	for _, v := range pod.Containers[0].Env {
		variables[v.Name] = v.Value
	}
	requireVariables(t, variables)
}
