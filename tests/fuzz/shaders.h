// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs for the random draws: small, different in what they read and write, loops that end.
#pragma once

namespace fuzz {

inline constexpr const char* kVertexTexts[] = {
    "attribute vec4 a; void main() { gl_Position = a; gl_PointSize = 3.0; }",
    "attribute vec4 a; attribute vec4 b; uniform mat4 m; varying vec4 v; void main() { gl_Position = m * a; "
    "v = b; }",
    "attribute vec3 a; attribute vec2 b; varying vec4 v; uniform float f[3]; void main() { gl_Position = "
    "vec4(a * f[1], 1.0);"
    " v = b.xyxy; gl_PointSize = f[2]; }",
    "attribute vec4 a; varying vec4 v; uniform sampler2D s; void main() { gl_Position = a; v = "
    "texture2DLod(s, a.xy, 0.0); }",
};
inline constexpr const char* kFragmentTexts[] = {
    "precision mediump float; uniform vec4 c; void main() { gl_FragColor = c; }",
    "precision mediump float; varying vec4 v; uniform sampler2D s; void main() { gl_FragColor = texture2D(s, "
    "v.xy) * v; }",
    "precision highp float; varying vec4 v; uniform samplerCube s; uniform int n; void main() { vec4 t = "
    "vec4(0.0);"
    " for (int i = 0; i < 4; ++i) { if (v.x > 0.5) discard; t += textureCube(s, v.xyz + float(i)); } "
    "gl_FragColor = t; }",
    "#extension GL_OES_standard_derivatives : enable\nprecision mediump float; varying vec4 v; uniform "
    "struct S { vec2 a; mat3 m; } s[2];"
    " void main() { gl_FragColor = vec4(dFdx(v.xyz) * s[1].m + fwidth(v.yzw), s[0].a.y) + gl_FragCoord * "
    "0.001; }",
    "#extension GL_EXT_draw_buffers : require\nprecision mediump float; varying vec4 v; uniform int n; void "
    "main() {"
    " gl_FragData[0] = v; gl_FragData[1] = v.wzyx; gl_FragData[n] = vec4(0.5); }",
    "#extension GL_EXT_frag_depth : require\nprecision highp float; varying vec4 v; uniform float f[3]; void "
    "main() {"
    " float d = 0.0; for (int i = 0; i < 3; ++i) d += f[i]; if (d < 0.0) discard; gl_FragDepthEXT = d * v.x;"
    " gl_FragColor = v; }",
    "precision mediump float; void main() { gl_FragColor = vec4(gl_PointCoord, gl_FrontFacing ? 1.0 : 0.0, "
    "1.0); }",
};

}  // namespace fuzz
