// Collects a payment, refunds it and pays out.
//
//	cd examples/go && MALIPO_URL=http://127.0.0.1:8080 MALIPO_TOKEN=mlp_sbx_… go run ./pay
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

type object = map[string]any

type answer struct {
	Status        string
	FailureReason struct{ FailureCode, FailureMessage string }
	Data          struct{ Status string }
}

var (
	client = http.Client{Timeout: 30 * time.Second}
	wallet = object{
		"type":           "MMO",
		"accountDetails": object{"phoneNumber": "260763456789", "provider": "MTN_MOMO_ZMB"},
	}
)

func main() {
	// Store each identifier before it is used: it is how you find the payment whatever happens.
	deposit := uuid4()
	complete("deposit", deposit, object{"amount": "15", "currency": "ZMW", "payer": wallet})
	complete("refund", uuid4(), object{"depositId": deposit})
	complete("payout", uuid4(), object{"amount": "15", "currency": "ZMW", "recipient": wallet})
}

// complete starts a payment and waits for its end.
func complete(kind, id string, payment object) {
	payment[kind+"Id"] = id
	body, err := json.Marshal(payment)
	if err != nil {
		log.Fatal(err)
	}
	started, err := call("POST", "/v2/"+kind+"s", body)
	if err != nil {
		log.Fatal(err)
	}
	if started.Status == "REJECTED" {
		log.Fatal(started.FailureReason.FailureMessage)
	}
	pause := 500 * time.Millisecond
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(pause) {
		found, err := call("GET", "/v2/"+kind+"s/"+id, nil)
		if err != nil {
			log.Fatal(err)
		}
		if s := found.Data.Status; s == "COMPLETED" || s == "FAILED" {
			fmt.Println(kind, id, s)
			return
		}
		if pause < 10*time.Second {
			pause *= 2
		}
	}
	log.Fatalf("%s %s is not final yet; look again later", kind, id)
}

// call repeats the very same request: its identifier keeps it from starting two payments.
func call(method, path string, body []byte) (found answer, err error) {
	for attempt := 1; attempt <= 5; attempt++ {
		var status int
		var text []byte
		if status, text, err = send(method, path, body); err == nil && status == http.StatusOK {
			return found, json.Unmarshal(text, &found)
		}
		if err == nil && status < 500 && status != http.StatusTooManyRequests {
			return found, fmt.Errorf("%d %s", status, text)
		}
		time.Sleep(time.Duration(1<<attempt) * 250 * time.Millisecond)
	}
	return found, fmt.Errorf("%s %s: no answer; repeat it later with the same identifier: %v", method, path, err)
}

func send(method, path string, body []byte) (int, []byte, error) {
	request, err := http.NewRequest(method, env("MALIPO_URL", "http://127.0.0.1:8080")+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MALIPO_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, text, err
}

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func uuid4() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		log.Fatal(err)
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
