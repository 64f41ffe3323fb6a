// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/es1/matrix.h"

#include <cmath>
#include <numbers>

namespace terrazzo::es1 {

Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix r;
    for (unsigned column = 0; column < 4; ++column)
        for (unsigned row = 0; row < 4; ++row) {
            float sum = 0;
            for (unsigned k = 0; k < 4; ++k)
                sum += a.m[k * 4 + row] * b.m[column * 4 + k];
            r.m[column * 4 + row] = sum;
        }
    return r;
}

Vec4 operator*(const Matrix& m, const Vec4& v) {
    const auto row = [&](unsigned i) {
        return m.m[i] * v.x + m.m[4 + i] * v.y + m.m[8 + i] * v.z + m.m[12 + i] * v.w;
    };
    return {row(0), row(1), row(2), row(3)};
}

Vec4 operator*(const Vec4& v, const Matrix& m) {
    const auto column = [&](unsigned i) {
        const float* c = &m.m[i * 4];
        return v.x * c[0] + v.y * c[1] + v.z * c[2] + v.w * c[3];
    };
    return {column(0), column(1), column(2), column(3)};
}

bool invert(const Matrix& matrix, Matrix* out) {
    // Gauss-Jordan elimination in doubles, with the largest element of a column as pivot.
    double a[4][8] = {};
    for (unsigned r = 0; r < 4; ++r) {
        for (unsigned c = 0; c < 4; ++c)
            a[r][c] = double(matrix.m[c * 4 + r]);
        a[r][4 + r] = 1;
    }
    for (unsigned c = 0; c < 4; ++c) {
        unsigned pivot = c;
        for (unsigned r = c + 1; r < 4; ++r)
            if (std::fabs(a[r][c]) > std::fabs(a[pivot][c])) pivot = r;
        if (!(std::fabs(a[pivot][c]) > 1e-30)) return false;
        for (unsigned k = 0; k < 8; ++k)
            std::swap(a[c][k], a[pivot][k]);
        const double scale = 1 / a[c][c];
        for (double& k : a[c])
            k *= scale;
        for (unsigned r = 0; r < 4; ++r) {
            const double factor = a[r][c];
            if (r == c || factor == 0) continue;
            for (unsigned k = 0; k < 8; ++k)
                a[r][k] -= factor * a[c][k];
        }
    }
    for (unsigned r = 0; r < 4; ++r)
        for (unsigned c = 0; c < 4; ++c)
            out->m[c * 4 + r] = float(a[r][4 + c]);
    return true;
}

std::array<float, 9> normal_matrix(const Matrix& modelview, bool rescale) {
    const std::array<float, 16>& m = modelview.m;
    // Cofactors divided by the determinant are the transposed inverse.
    const float cofactors[9] = {
        m[5] * m[10] - m[6] * m[9], m[6] * m[8] - m[4] * m[10], m[4] * m[9] - m[5] * m[8],
        m[2] * m[9] - m[1] * m[10], m[0] * m[10] - m[2] * m[8], m[1] * m[8] - m[0] * m[9],
        m[1] * m[6] - m[2] * m[5],  m[2] * m[4] - m[0] * m[6],  m[0] * m[5] - m[1] * m[4]};
    const float determinant = m[0] * cofactors[0] + m[1] * cofactors[1] + m[2] * cofactors[2];
    std::array<float, 9> out{};
    if (determinant == 0 || !std::isfinite(determinant)) return out;
    float scale = 1 / determinant;
    if (rescale) {
        // The length of the inverse's third row, which is the last column here.
        const float length = std::hypot(cofactors[6], cofactors[7], cofactors[8]) * std::fabs(scale);
        if (length > 0) scale /= length;
    }
    for (unsigned i = 0; i < 9; ++i)
        out[i] = cofactors[i] * scale;
    return out;
}

bool keeps_q(const Matrix& m) {
    return m.m[3] == 0 && m.m[7] == 0 && m.m[11] == 0 && m.m[15] == 1;
}

Matrix rotation(float degrees, float x, float y, float z) {
    const double length = std::hypot(double(x), double(y), double(z));
    if (length == 0) return {};
    const double angle = double(degrees) * std::numbers::pi / 180;
    // Quarter turns are exact, since 2D programs depend on that.
    const double quarters = double(degrees) / 90;
    double s = std::sin(angle), c = std::cos(angle);
    if (quarters == std::floor(quarters)) s = std::round(s), c = std::round(c);
    const double u[3] = {double(x) / length, double(y) / length, double(z) / length};
    Matrix r;
    for (unsigned row = 0; row < 3; ++row)
        for (unsigned column = 0; column < 3; ++column)
            r.m[column * 4 + row] = float(u[row] * u[column] * (1 - c) + (row == column ? c : 0));
    r.m[1] += float(u[2] * s), r.m[2] -= float(u[1] * s);
    r.m[4] -= float(u[2] * s), r.m[6] += float(u[0] * s);
    r.m[8] += float(u[1] * s), r.m[9] -= float(u[0] * s);
    return r;
}

Matrix translation(float x, float y, float z) {
    Matrix r;
    r.m[12] = x, r.m[13] = y, r.m[14] = z;
    return r;
}

Matrix scaling(float x, float y, float z) {
    Matrix r;
    r.m[0] = x, r.m[5] = y, r.m[10] = z;
    return r;
}

Matrix frustum(float l, float r, float b, float t, float n, float f) {
    Matrix x;
    x.m = {2 * n / (r - l),
           0,
           0,
           0,
           0,
           2 * n / (t - b),
           0,
           0,
           (r + l) / (r - l),
           (t + b) / (t - b),
           -(f + n) / (f - n),
           -1,
           0,
           0,
           -2 * f * n / (f - n),
           0};
    return x;
}

Matrix ortho(float l, float r, float b, float t, float n, float f) {
    Matrix x;
    x.m[0] = 2 / (r - l), x.m[5] = 2 / (t - b), x.m[10] = -2 / (f - n);
    x.m[12] = -(r + l) / (r - l), x.m[13] = -(t + b) / (t - b), x.m[14] = -(f + n) / (f - n);
    return x;
}

}  // namespace terrazzo::es1
