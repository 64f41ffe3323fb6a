// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Matrices as OpenGL ES 1.1 has them (section 2.10): columns first, and stacks of them.
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
    /// m[column * 4 + row], as glLoadMatrixf takes them.
    std::array<float, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    bool operator==(const Matrix&) const = default;
};

[[nodiscard]] Matrix operator*(const Matrix& a, const Matrix& b);
/// m * v.
[[nodiscard]] Vec4 operator*(const Matrix& m, const Vec4& v);
/// The row vector v * m: how planes and normals are transformed.
[[nodiscard]] Vec4 operator*(const Vec4& v, const Matrix& m);
/// False: it is singular, and `out` is unchanged.
[[nodiscard]] bool invert(const Matrix& m, Matrix* out);
/// The matrix for normals, three columns of 3: the transposed inverse of the upper left 3x3, times the factor
/// of GL_RESCALE_NORMAL where `rescale` is set. Zeros where that is singular.
[[nodiscard]] std::array<float, 9> normal_matrix(const Matrix& modelview, bool rescale);
/// The last row is 0 0 0 1: q stays what it is.
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
    /// False: it is full, or has one matrix.
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
