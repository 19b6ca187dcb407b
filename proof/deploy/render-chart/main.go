// Renders deploy/helm/malipo where there is no helm: with Go's own templates and the functions of
// sprig, which are what Helm is made of. Debian: golang-go golang-github-masterminds-sprig-dev
// golang-github-ghodss-yaml-dev.
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run main.go CHART [key=value …]
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

type values = map[string]interface{}

type files string

func (folder files) Get(name string) string { return string(read(filepath.Join(string(folder), name))) }

type chart struct{ Name, Version, AppVersion string }

func main() {
	folder := os.Args[1]
	var about chart
	var given values
	must(yaml.Unmarshal(read(filepath.Join(folder, "Chart.yaml")), &about))
	must(yaml.Unmarshal(read(filepath.Join(folder, "values.yaml")), &given))
	for _, change := range os.Args[2:] {
		set(given, change)
	}
	data := values{
		"Values":  given,
		"Chart":   about,
		"Files":   files(folder),
		"Release": values{"Name": "malipo", "Namespace": "malipo", "Service": "Helm"},
	}
	all := template.New("chart").Option("missingkey=error").Funcs(sprig.TxtFuncMap())
	all.Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"toYaml": func(value interface{}) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
	})
	names, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	must(err)
	for _, name := range names {
		_, err := all.New(filepath.Base(name)).Parse(string(read(name)))
		must(err)
	}
	for _, name := range names {
		if filepath.Ext(name) != ".yaml" {
			continue
		}
		fmt.Println("---")
		must(all.ExecuteTemplate(os.Stdout, filepath.Base(name), data))
	}
	// Not printed, but it has to be one that can be.
	var notes strings.Builder
	must(all.ExecuteTemplate(&notes, "NOTES.txt", data))
}

// "ingress.enabled=true", as helm's --set takes it.
func set(target values, change string) {
	path, text, _ := strings.Cut(change, "=")
	keys := strings.Split(path, ".")
	for _, key := range keys[:len(keys)-1] {
		target = target[key].(values)
	}
	var value interface{}
	must(yaml.Unmarshal([]byte(text), &value))
	target[keys[len(keys)-1]] = value
}

func read(name string) []byte {
	text, err := os.ReadFile(name)
	must(err)
	return text
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
