import './refund-races.test.ts'
