//--- vertex
attribute vec4 a; attribute vec4 b; uniform mat4 m; varying vec4 v; void main() { gl_Position = m * a; v = b; }
//--- fragment
precision mediump float; varying vec4 v; uniform sampler2D s; void main() { gl_FragColor = texture2D(s, v.xy) * v; }
