//--- vertex
attribute vec4 a; attribute vec4 b; uniform mat4 m; varying vec4 v; void main() { gl_Position = m * a; v = b; }
//--- fragment
precision highp float; varying vec4 v; uniform samplerCube s; uniform int n; void main() { vec4 t = vec4(0.0); for (int i = 0; i < 4; ++i) { if (v.x > 0.5) discard; t += textureCube(s, v.xyz + float(i)); } gl_FragColor = t; }
