// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A Julia set: the fragment shader iterates z = z*z + c until z escapes, or stops after 64 iterations. Points
// that never escape are discarded, so that the stripes drawn before are visible.
#include <GLES2/gl2.h>

#include "examples/common/program.h"
#include "examples/scenes/scenes.h"

namespace example {

void draw_julia(int width, int height) {
    constexpr char kVertex[] =
        R"(uniform float aspect;
           attribute vec2 corner;
           varying vec2 v_place;
           void main() {
               v_place = corner * vec2(aspect, 1.0);
               gl_Position = vec4(corner, 0.0, 1.0);
           })";
    const GLuint stripes = build_program(kVertex,
                                         R"(precision mediump float;
           varying vec2 v_place;
           void main() {
               float s = fract((v_place.x + v_place.y) * 8.0);
               gl_FragColor = s < 0.5 ? vec4(0.1, 0.1, 0.1, 1.0) : vec4(0.25, 0.25, 0.25, 1.0);
           })",
                                         {"corner"});
    const GLuint julia = build_program(kVertex,
                                       R"(precision highp float;
           varying vec2 v_place;
           const int rounds = 64;
           void main() {
               vec2 z = v_place * 1.25;
               int done = rounds;
               for (int i = 0; i < rounds; ++i) {
                   z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + vec2(-0.7269, 0.1889);
                   if (dot(z, z) > 16.0) {
                       done = i;
                       break;
                   }
               }
               if (done == rounds)
                   discard;
               float t = float(done) / float(rounds);
               gl_FragColor = vec4(t * 2.0, t * t * 3.0, 0.3 + t, 1.0);
           })",
                                       {"corner"});
    glViewport(0, 0, width, height);
    const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    for (GLuint program : {stripes, julia}) {
        glUseProgram(program);
        glUniform1f(glGetUniformLocation(program, "aspect"), float(width) / float(height));
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

}  // namespace example
