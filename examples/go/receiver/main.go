// A receiver of callbacks: verifies each one, and answers 200 once it is safe with us.
//
//	cd examples/go && MALIPO_URL=… MALIPO_TOKEN=… CALLBACK_URL=https://shop.example/callbacks go run ./receiver
package main

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const list = `("@method" "@authority" "@path" "signature-date" "content-digest" "content-type")`

var (
	named     = regexp.MustCompile(`;keyid="([^"]+)";created=(\d+);expires=(\d+)$`)
	signature = regexp.MustCompile(`^sig-pp=:([A-Za-z0-9+/=]+):$`)
	port      = env("PORT", "3000")
	// As set at the service: a signature is for one address.
	callbackURL = env("CALLBACK_URL", "http://127.0.0.1:"+port+"/callbacks")
	client      = http.Client{Timeout: 5 * time.Second}
)

func main() {
	fmt.Println("listening for", callbackURL)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(receive)))
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err == nil {
		err = verify(r.Header, body)
	}
	if err != nil {
		fmt.Println("refused:", err)
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	// It may come more than once, and about a payment that is not ours: look the identifier up in
	// our own books, and store what it says, before we answer.
	fmt.Printf("verified: %s\n", body)
}

func verify(h http.Header, body []byte) error {
	sum := sha512.Sum512(body)
	digest := "sha-512=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
	if subtle.ConstantTimeCompare([]byte(digest), []byte(h.Get("Content-Digest"))) != 1 {
		return errors.New("the body is not the one that was signed")
	}
	params := strings.TrimPrefix(h.Get("Signature-Input"), "sig-pp=")
	facts, signed := named.FindStringSubmatch(params), signature.FindStringSubmatch(h.Get("Signature"))
	if !strings.HasPrefix(params, list) || facts == nil || signed == nil {
		return errors.New("it is not signed as callbacks are")
	}
	created, _ := strconv.ParseInt(facts[2], 10, 64)
	expires, _ := strconv.ParseInt(facts[3], 10, 64)
	if now := time.Now().Unix(); now < created-60 || now > expires {
		return errors.New("the signature has expired, or a clock is wrong")
	}
	key, err := publicKey(facts[1])
	if err != nil {
		return err
	}
	own, err := url.Parse(callbackURL)
	if err != nil {
		return err
	}
	base := fmt.Sprintf("\"@method\": POST\n\"@authority\": %s\n\"@path\": %s\n\"signature-date\": %s\n"+
		"\"content-digest\": %s\n\"content-type\": %s\n\"@signature-params\": %s",
		own.Host, own.Path, h.Get("Signature-Date"), digest, h.Get("Content-Type"), params)
	hash := sha256.Sum256([]byte(base))
	bytes, err := base64.StdEncoding.DecodeString(signed[1])
	if err != nil || !ecdsa.VerifyASN1(key, hash[:], bytes) {
		return errors.New("the signature does not verify")
	}
	return nil
}

// publicKey fetches the list; in production keep it for some minutes, and fetch it again for an
// unknown id.
func publicKey(id string) (*ecdsa.PublicKey, error) {
	request, err := http.NewRequest("GET", env("MALIPO_URL", "http://127.0.0.1:8080")+"/v2/public-key/http", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MALIPO_TOKEN"))
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var keys []struct{ ID, Key string }
	if err := json.NewDecoder(response.Body).Decode(&keys); err != nil {
		return nil, err
	}
	for _, one := range keys {
		if block, _ := pem.Decode([]byte(one.Key)); one.ID == id && block != nil {
			key, err := x509.ParsePKIXPublicKey(block.Bytes)
			if found, ok := key.(*ecdsa.PublicKey); ok {
				return found, nil
			}
			return nil, err
		}
	}
	return nil, errors.New("the key is none of the service's")
}

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}
