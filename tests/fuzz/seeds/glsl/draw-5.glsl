//--- vertex
attribute vec4 a; varying vec4 v; uniform sampler2D s; void main() { gl_Position = a; v = texture2DLod(s, a.xy, 0.0); }
//--- fragment
#extension GL_EXT_frag_depth : require
precision highp float; varying vec4 v; uniform float f[3]; void main() { float d = 0.0; for (int i = 0; i < 3; ++i) d += f[i]; if (d < 0.0) discard; gl_FragDepthEXT = d * v.x; gl_FragColor = v; }
