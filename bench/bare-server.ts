/** The HTTP server and nothing else, in a process of its own: it says its port, is told what to answer, and answers that to everybody. */
import uWS from 'uWebSockets.js'

let body = ''
uWS
  .App()
  .get('/*', (res) => {
    res.writeHeader('Content-Type', 'application/json').end(body)
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (!socket) throw new Error('The bare server can not listen')
    process.send?.(uWS.us_socket_local_port(socket))
  })
process.on('message', (told) => {
  body = String(told)
  process.send?.('ready')
})
