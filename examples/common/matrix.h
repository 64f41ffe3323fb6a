// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// 4x4 matrices in GL's order (by columns): only what the scenes need.
#pragma once

#include <cmath>

namespace example {

struct Matrix {
    float m[16];
};

inline Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix r{};
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            for (int k = 0; k < 4; ++k)
                r.m[column * 4 + row] += a.m[k * 4 + row] * b.m[column * 4 + k];
    return r;
}

inline Matrix translate(float x, float y, float z) {
    return {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}};
}

inline Matrix scale(float s) {
    return {{s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, 0, 0, 0, 1}};
}

inline Matrix rotate_x(float radians) {
    const float c = std::cos(radians), s = std::sin(radians);
    return {{1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1}};
}

inline Matrix rotate_y(float radians) {
    const float c = std::cos(radians), s = std::sin(radians);
    return {{c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1}};
}

/// A camera at the origin that looks along -z, with a vertical field of view in radians.
inline Matrix perspective(float field_of_view, float aspect, float near, float far) {
    const float f = 1 / std::tan(field_of_view / 2);
    return {{f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0,
             2 * far * near / (near - far), 0}};
}

}  // namespace example
