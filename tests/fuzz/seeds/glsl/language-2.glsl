//--- fragment
#extension GL_EXT_frag_depth : enable
#extension GL_EXT_shader_texture_lod : enable
precision highp float; precision highp int;
uniform sampler2D tex; uniform ivec4 a; uniform bvec3 on; uniform vec4 table[5]; varying vec3 normal; varying vec2 uv;
bool inside(vec2 p) { return all(lessThan(abs(p), vec2(0.75))) != any(on); }
mat2 turn(float angle) { return mat2(cos(angle), -sin(angle), sin(angle), cos(angle)); }
void main() {
    vec4 c = vec4(0.0); vec2 p = uv; int n = a.x;
    for (int i = 0; i < 20; i++) {
        p = turn(float(i)) * p + fract(normal.xy) * exp2(-p.x) - sqrt(abs(p.y)) / 3.0;
        if (inside(p)) { c += table[i - (i / 5) * 5]; n -= i; } else if (n > 40) break;
        c[i / 5] += atan(p.y, p.x) + float(n * a[i / 5]);
    }
    if (!gl_FrontFacing) { c = c.wzyx; return; }
    gl_FragDepthEXT = smoothstep(0.0, 2.0, gl_FragCoord.z);
    gl_FragColor = clamp(c, table[0], max(table[1], 1.0)) * texture2DLodEXT(tex, gl_PointCoord, floor(c.x));
}
