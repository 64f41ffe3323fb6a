// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Matrices of OpenGL ES 1.1 (section 2.10), in column-major order, and stacks of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace terrazzo::es1 {

struct Vec4 {
    float x = 0, y = 0, z = 0, w = 0;
    bool operator==(const Vec4&) const = default;
};

struct Matrix {
    /// m[column * 4 + row], as in glLoadMatrixf.
    std::array<float, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    bool operator==(const Matrix&) const = default;
};

[[nodiscard]] Matrix operator*(const Matrix& a, const Matrix& b);
/// m * v.
[[nodiscard]] Vec4 operator*(const Matrix& m, const Vec4& v);
/// The row vector v * m, which transforms planes and normals.
[[nodiscard]] Vec4 operator*(const Vec4& v, const Matrix& m);
/// False: the matrix is singular, and `out` is unchanged.
[[nodiscard]] bool invert(const Matrix& m, Matrix* out);
/// The matrix for normals, three columns of 3: the transposed inverse of the upper left 3x3, and with
/// `rescale` times the factor of GL_RESCALE_NORMAL. Zeros if that is singular.
[[nodiscard]] std::array<float, 9> normal_matrix(const Matrix& modelview, bool rescale);
/// Whether the last row is 0 0 0 1, so that q does not change.
[[nodiscard]] bool keeps_q(const Matrix& m);

[[nodiscard]] Matrix rotation(float degrees, float x, float y, float z);
[[nodiscard]] Matrix translation(float x, float y, float z);
[[nodiscard]] Matrix scaling(float x, float y, float z);
[[nodiscard]] Matrix frustum(float l, float r, float b, float t, float n, float f);
[[nodiscard]] Matrix ortho(float l, float r, float b, float t, float n, float f);

class MatrixStack {
  public:
    explicit MatrixStack(unsigned max_depth) : max_depth_(max_depth), stack_(1) { stack_.reserve(max_depth); }
    [[nodiscard]] const Matrix& top() const { return stack_.back(); }
    void set(const Matrix& m) { stack_.back() = m; }
    [[nodiscard]] unsigned depth() const { return unsigned(stack_.size()); }
    [[nodiscard]] unsigned max_depth() const { return max_depth_; }
    /// False: the stack is full, or has only one matrix.
    [[nodiscard]] bool push() {
        if (depth() == max_depth_) return false;
        stack_.push_back(stack_.back());
        return true;
    }
    [[nodiscard]] bool pop() {
        if (depth() == 1) return false;
        stack_.pop_back();
        return true;
    }

  private:
    unsigned max_depth_;
    std::vector<Matrix> stack_;
};

}  // namespace terrazzo::es1
