//--- vertex
attribute vec4 a; void main() { gl_Position = a; gl_PointSize = 3.0; }
//--- fragment
precision mediump float; void main() { gl_FragColor = vec4(gl_PointCoord, gl_FrontFacing ? 1.0 : 0.0, 1.0); }
