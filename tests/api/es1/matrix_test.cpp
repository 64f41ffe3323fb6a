// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <random>

#include "tests/api/es1/harness.h"

using namespace terrazzo;
using namespace terrazzo::es1;

namespace {

bool close(float a, float b, float tolerance = 1e-5f) {
    return std::fabs(a - b) <= tolerance * std::max(1.0f, std::fabs(b));
}

Matrix random_matrix(std::mt19937& random) {
    std::uniform_real_distribution<float> number(-2, 2);
    Matrix m;
    for (float& x : m.m)
        x = number(random);
    return m;
}

}  // namespace

TEST_CASE("es1 matrix: products and inverses") {
    CHECK((translation(1, 2, 3) * Vec4{1, 1, 1, 1}) == Vec4{2, 3, 4, 1});
    CHECK((scaling(2, 3, 4) * translation(1, 1, 1) * Vec4{0, 0, 0, 1}) == Vec4{2, 3, 4, 1});
    CHECK((rotation(90, 0, 0, 5) * Vec4{1, 0, 0, 1}) == Vec4{0, 1, 0, 1});
    CHECK((rotation(-90, 1, 0, 0) * Vec4{0, 1, 0, 1}) == Vec4{0, 0, -1, 1});
    CHECK((rotation(180, 0, 1, 0) * Vec4{1, 0, 0, 1}) == Vec4{-1, 0, 0, 1});
    CHECK(rotation(77, 0, 0, 0) == Matrix{});
    // The corners of the volumes are mapped to the corners of the cube.
    const Vec4 near = frustum(-1, 3, -2, 2, 1, 9) * Vec4{-1, 2, -1, 1};
    CHECK(near == Vec4{-1, 1, -1, 1});
    const Vec4 far = frustum(-1, 3, -2, 2, 1, 9) * Vec4{27, -18, -9, 1};
    CHECK((close(far.x / far.w, 1) && close(far.y / far.w, -1) && close(far.z / far.w, 1)));
    CHECK((ortho(0, 10, 0, 20, -1, 1) * Vec4{10, 0, 1, 1}) == Vec4{1, -1, -1, 1});
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
        const Matrix m = random_matrix(random);
        Matrix inverse;
        if (!invert(m, &inverse)) continue;
        const Matrix one = m * inverse;
        for (unsigned k = 0; k < 16; ++k)
            CHECK(std::fabs(one.m[k] - (k % 5 == 0 ? 1 : 0)) < 2e-3f);
    }
    Matrix unchanged = translation(5, 5, 5);
    CHECK_FALSE(invert(scaling(1, 0, 1), &unchanged));
    CHECK(unchanged == translation(5, 5, 5));
}

TEST_CASE("es1 matrix: normals stay perpendicular, rescaling cancels a uniform scale") {
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i) {
        Matrix m = random_matrix(random);
        m.m[3] = m.m[7] = m.m[11] = 0, m.m[15] = 1;
        const auto n = normal_matrix(m, false);
        // For the plane x = 0: tangents y and z, normal x.
        const float normal[3] = {n[0], n[1], n[2]};
        const float length = std::hypot(normal[0], normal[1], normal[2]);
        for (unsigned column : {1u, 2u}) {
            const float* t = &m.m[column * 4];
            CHECK(std::fabs(normal[0] * t[0] + normal[1] * t[1] + normal[2] * t[2]) <
                  1e-3f * std::max(1.0f, length));
        }
    }
    const auto plain = normal_matrix(scaling(4, 4, 4), false),
               rescaled = normal_matrix(rotation(30, 1, 2, 3) * scaling(4, 4, 4), true);
    CHECK(plain[0] == 0.25f);
    CHECK(close(std::hypot(rescaled[0], rescaled[1], rescaled[2]), 1));
    CHECK(normal_matrix(scaling(0, 1, 1), false) == std::array<float, 9>{});
}

TEST_CASE("es1 matrix: stacks, their limits and errors") {
    test::Es1Harness h;
    struct {
        GLenum mode, depth, matrix;
        unsigned limit;
    } const stacks[] = {{GL_MODELVIEW, GL_MODELVIEW_STACK_DEPTH, GL_MODELVIEW_MATRIX, kModelviewDepth},
                        {GL_PROJECTION, GL_PROJECTION_STACK_DEPTH, GL_PROJECTION_MATRIX, kProjectionDepth},
                        {GL_TEXTURE, GL_TEXTURE_STACK_DEPTH, GL_TEXTURE_MATRIX, kTextureDepth}};
    for (const auto& s : stacks) {
        MatrixMode(h.es1, s.mode);
        CHECK(h.number(s.depth) == 1);
        PopMatrix(h.es1);
        CHECK(h.error() == GL_STACK_UNDERFLOW_KHR);
        Translatef(h.es1, 1, 2, 3);
        for (unsigned i = 1; i < s.limit; ++i)
            PushMatrix(h.es1);
        CHECK(h.error() == GL_NO_ERROR);
        PushMatrix(h.es1);
        CHECK(h.error() == GL_STACK_OVERFLOW_KHR);
        CHECK(h.number(s.depth) == GLfloat(s.limit));
        LoadIdentity(h.es1);
        CHECK(h.number(s.matrix) == 1);
        PopMatrix(h.es1);
        GLfloat m[16];
        GetFloatv(h.es1, s.matrix, m);
        CHECK((m[12] == 1 && m[13] == 2 && m[14] == 3));
    }
    MatrixMode(h.es1, GL_TEXTURE_2D);
    CHECK(h.error() == GL_INVALID_ENUM);
    Frustumf(h.es1, -1, 1, -1, 1, 0, 5);
    CHECK(h.error() == GL_INVALID_VALUE);
    Orthof(h.es1, 1, 1, -1, 1, 0, 5);
    CHECK(h.error() == GL_INVALID_VALUE);
}

TEST_CASE("es1 matrix: fixed point, each unit has its own, queries with mantissas and exponents") {
    test::Es1Harness h;
    MatrixMode(h.es1, GL_TEXTURE);
    ActiveTexture(h.es1, GL_TEXTURE1);
    Scalex(h.es1, 0x20000, 0x8000, -0x10000);
    CHECK(h.number(GL_TEXTURE_MATRIX) == 2);
    ActiveTexture(h.es1, GL_TEXTURE0);
    CHECK(h.number(GL_TEXTURE_MATRIX) == 1);
    MatrixMode(h.es1, GL_MODELVIEW);
    GLfixed m[16] = {};
    for (unsigned i = 0; i < 16; ++i)
        m[i] = GLfixed(i) << 15;
    LoadMatrixx(h.es1, m);
    GLfixed back[16];
    GetFixedv(h.es1, GL_MODELVIEW_MATRIX, back);
    CHECK(std::equal(m, m + 16, back));
    GLint bits[16], exponents[16];
    GetIntegerv(h.es1, GL_MODELVIEW_MATRIX_FLOAT_AS_INT_BITS_OES, bits);
    CHECK(bits[2] == 0x3f800000);
    GLfixed mantissas[16];
    CHECK(QueryMatrixx(h.es1, mantissas, exponents) == 0);
    CHECK((mantissas[6] == 0xc000 && exponents[6] == 2));  // 3
    Scalef(h.es1, INFINITY, 1, 1);
    CHECK(QueryMatrixx(h.es1, mantissas, exponents) != 0);
}
