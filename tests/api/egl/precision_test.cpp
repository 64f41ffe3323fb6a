// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glGetShaderPrecisionFormat reports the precision of fragment shaders: arithmetic with the largest reported
// powers of two must be exact.
#include <algorithm>
#include <string>

#include "tests/api/egl/fixture.h"

namespace {

struct Drawn : fixture::Current {
    /// Whether `test` is true in a fragment shader, where v and whole are `value`.
    bool holds(const std::string& precision, const std::string& test, int value) {
        const GLuint p = glCreateProgram();
        const auto stage = [&](GLenum type, const std::string& text) {
            const GLuint s = glCreateShader(type);
            const char* const t = text.c_str();
            glShaderSource(s, 1, &t, nullptr);
            glCompileShader(s);
            glAttachShader(p, s);
            glDeleteShader(s);
        };
        stage(GL_VERTEX_SHADER, "attribute vec4 at; void main() { gl_Position = at; }");
        const std::string whole = precision == "highp" ? "highp" : "mediump";
        stage(GL_FRAGMENT_SHADER, "precision " + precision + " float; uniform " + precision +
                                      " int v; uniform " + whole + " float whole;\n" +
                                      "void main() { gl_FragColor = vec4(" + test + "); }");
        glBindAttribLocation(p, 0, "at");
        glLinkProgram(p);
        glUseProgram(p);
        glUniform1i(glGetUniformLocation(p, "v"), value);
        glUniform1f(glGetUniformLocation(p, "whole"), float(value));
        const float corners[] = {-1, -1, 3, -1, -1, 3};
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
        glEnableVertexAttribArray(0);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        const auto seen = pixel(3, 3);
        CHECK(glGetError() == GL_NO_ERROR);
        glDeleteProgram(p);
        return seen == std::vector<unsigned char>{255, 255, 255, 255};
    }
};

}  // namespace

TEST_CASE_FIXTURE(Drawn, "precision that is reported is computed with") {
    const struct {
        const char* precision;
        GLenum of_int, of_float;
    } kRows[] = {{"lowp", GL_LOW_INT, GL_LOW_FLOAT},
                 {"mediump", GL_MEDIUM_INT, GL_MEDIUM_FLOAT},
                 {"highp", GL_HIGH_INT, GL_HIGH_FLOAT}};
    for (const auto& row : kRows) {
        CAPTURE(row.precision);
        GLint range[2] = {}, precision = 0;
        glGetShaderPrecisionFormat(GL_FRAGMENT_SHADER, row.of_int, range, &precision);
        REQUIRE(range[1] >= 8);
        CHECK(holds(row.precision, "abs(float(v) - whole) < 1.0", 1 << (range[1] - 1)));
        glGetShaderPrecisionFormat(GL_FRAGMENT_SHADER, row.of_float, range, &precision);
        REQUIRE(precision >= 8);
        // Both ends of the range of distinguishable numbers.
        CHECK(holds(row.precision, "whole + 1.0 > whole", 1 << (precision - 1)));
        CHECK(holds(row.precision, "whole * 0.5 < whole", 1 << (std::min(range[1], 31) - 1)));
    }
}
