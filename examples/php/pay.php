<?php
// Collects a payment, refunds it and pays out.
//   MALIPO_URL=http://127.0.0.1:8080 MALIPO_TOKEN=mlp_sbx_… php examples/php/pay.php

declare(strict_types=1);

const MONEY = ['amount' => '15', 'currency' => 'ZMW'];
const WALLET = [
    'type' => 'MMO',
    'accountDetails' => ['phoneNumber' => '260763456789', 'provider' => 'MTN_MOMO_ZMB'],
];

function uuid4(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

/** Repeats the very same request: its identifier keeps it from starting two payments. */
function call(string $method, string $path, ?array $body = null, int $attempts = 5): array
{
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => ['Authorization: Bearer ' . getenv('MALIPO_TOKEN'), 'Content-Type: application/json'],
        'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
        'ignore_errors' => true,
        'timeout' => 30,
    ]]);
    $url = (getenv('MALIPO_URL') ?: 'http://127.0.0.1:8080') . $path;
    for ($attempt = 1; $attempt <= $attempts; $attempt++) {
        $http_response_header = [];
        $text = @file_get_contents($url, false, $context);
        $status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
        if ($text !== false && $status === 200) {
            return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
        }
        if ($status >= 400 && $status < 500 && $status !== 429) {
            throw new RuntimeException("$status $text");
        }
        usleep(250_000 * 2 ** $attempt);
    }
    throw new RuntimeException("$method $path: no answer; repeat it later with the same identifier");
}

/** Starts a payment and waits for its end. */
function complete(string $kind, array $payment): void
{
    $id = $payment["{$kind}Id"];
    $answer = call('POST', "/v2/{$kind}s", $payment);
    if ($answer['status'] === 'REJECTED') {
        throw new RuntimeException($answer['failureReason']['failureMessage']);
    }
    foreach ([0.5, 1, 2, 3, 5, ...array_fill(0, 30, 10)] as $pause) {
        $status = call('GET', "/v2/{$kind}s/$id")['data']['status'];
        if (in_array($status, ['COMPLETED', 'FAILED'], true)) {
            echo "$kind $id $status\n";
            return;
        }
        usleep((int) ($pause * 1_000_000));
    }
    throw new RuntimeException("$kind $id is not final yet; look again later");
}

// Store each identifier before it is used: it is how you find the payment whatever happens.
$depositId = uuid4();
complete('deposit', ['depositId' => $depositId, ...MONEY, 'payer' => WALLET]);
complete('refund', ['refundId' => uuid4(), 'depositId' => $depositId]);
complete('payout', ['payoutId' => uuid4(), ...MONEY, 'recipient' => WALLET]);
