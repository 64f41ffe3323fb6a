//--- vertex
attribute vec4 a; void main() { gl_Position = a; gl_PointSize = 3.0; }
//--- fragment
precision mediump float; uniform vec4 c; void main() { gl_FragColor = c; }
