//--- vertex
attribute vec3 a; attribute vec2 b; varying vec4 v; uniform float f[3]; void main() { gl_Position = vec4(a * f[1], 1.0); v = b.xyxy; gl_PointSize = f[2]; }
//--- fragment
#extension GL_EXT_draw_buffers : require
precision mediump float; varying vec4 v; uniform int n; void main() { gl_FragData[0] = v; gl_FragData[1] = v.wzyx; gl_FragData[n] = vec4(0.5); }
