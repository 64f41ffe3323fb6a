//--- vertex
attribute vec4 a; attribute vec4 b; uniform mat4 m; varying vec4 v; void main() { gl_Position = m * a; v = b; }
//--- fragment
#extension GL_OES_standard_derivatives : enable
precision mediump float; varying vec4 v; uniform struct S { vec2 a; mat3 m; } s[2]; void main() { gl_FragColor = vec4(dFdx(v.xyz) * s[1].m + fwidth(v.yzw), s[0].a.y) + gl_FragCoord * 0.001; }
