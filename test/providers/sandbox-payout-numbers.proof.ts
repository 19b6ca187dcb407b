import './sandbox-payout-numbers.test.ts'
