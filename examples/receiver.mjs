// The place where the receiver used to be; it is an example in Node like others now.
import './node/receiver.mjs'
