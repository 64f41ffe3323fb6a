// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Commands of the matrix stacks (section 2.10.2), OES_query_matrix.
#include <algorithm>
#include <cmath>

#include "api/es1/context.h"
#include "api/es1/fixed.h"

namespace terrazzo::es1 {
namespace {

MatrixStack& current(Context& ctx) {
    switch (ctx.state.matrix_mode) {
        case GL_PROJECTION:
            return ctx.projection;
        case GL_TEXTURE:
            return ctx.texture_matrices[ctx.active_unit()];
        default:
            return ctx.modelview;
    }
}

void changed(Context& ctx) {
    ctx.touch(ctx.state.matrix_mode == GL_TEXTURE ? Group::TextureMatrix : Group::Transform);
}

void load(Context& ctx, const Matrix& m) {
    current(ctx).set(m);
    changed(ctx);
}

void multiply(Context& ctx, const Matrix& m) {
    load(ctx, current(ctx).top() * m);
}

const char* stack_name(const Context& ctx) {
    return ctx.state.matrix_mode == GL_PROJECTION ? "projection"
           : ctx.state.matrix_mode == GL_TEXTURE  ? "texture"
                                                  : "modelview";
}

}  // namespace

void MatrixMode(Context& ctx, GLenum mode) {
    if (mode != GL_MODELVIEW && mode != GL_PROJECTION && mode != GL_TEXTURE)
        return ctx.gl.error(GL_INVALID_ENUM, "glMatrixMode", "mode 0x%04x is no stack of matrices", mode);
    ctx.state.matrix_mode = mode;
}

void PushMatrix(Context& ctx) {
    if (!current(ctx).push())
        ctx.gl.error(GL_STACK_OVERFLOW_KHR, "glPushMatrix",
                     "the %s stack has %u matrices, which is its limit", stack_name(ctx),
                     current(ctx).depth());
}

void PopMatrix(Context& ctx) {
    if (!current(ctx).pop())
        return ctx.gl.error(GL_STACK_UNDERFLOW_KHR, "glPopMatrix", "the %s stack has one matrix",
                            stack_name(ctx));
    changed(ctx);
}

void LoadIdentity(Context& ctx) {
    load(ctx, {});
}

void LoadMatrixf(Context& ctx, const GLfloat* m) {
    Matrix matrix;
    if (!m) return;
    std::copy_n(m, 16, matrix.m.begin());
    load(ctx, matrix);
}

void MultMatrixf(Context& ctx, const GLfloat* m) {
    Matrix matrix;
    if (!m) return;
    std::copy_n(m, 16, matrix.m.begin());
    multiply(ctx, matrix);
}

void Rotatef(Context& ctx, GLfloat angle, GLfloat x, GLfloat y, GLfloat z) {
    multiply(ctx, rotation(angle, x, y, z));
}
void Translatef(Context& ctx, GLfloat x, GLfloat y, GLfloat z) {
    multiply(ctx, translation(x, y, z));
}
void Scalef(Context& ctx, GLfloat x, GLfloat y, GLfloat z) {
    multiply(ctx, scaling(x, y, z));
}

void Frustumf(Context& ctx, GLfloat l, GLfloat r, GLfloat b, GLfloat t, GLfloat n, GLfloat f) {
    if (!(n > 0) || !(f > 0) || l == r || b == t || n == f)
        return ctx.gl.error(GL_INVALID_VALUE, "glFrustumf",
                            "near and far must be above 0, and no two planes equal");
    multiply(ctx, frustum(l, r, b, t, n, f));
}

void Orthof(Context& ctx, GLfloat l, GLfloat r, GLfloat b, GLfloat t, GLfloat n, GLfloat f) {
    if (l == r || b == t || n == f)
        return ctx.gl.error(GL_INVALID_VALUE, "glOrthof", "two opposite planes are equal");
    multiply(ctx, ortho(l, r, b, t, n, f));
}

void Rotatex(Context& ctx, GLfixed angle, GLfixed x, GLfixed y, GLfixed z) {
    Rotatef(ctx, from_fixed(angle), from_fixed(x), from_fixed(y), from_fixed(z));
}
void Translatex(Context& ctx, GLfixed x, GLfixed y, GLfixed z) {
    Translatef(ctx, from_fixed(x), from_fixed(y), from_fixed(z));
}
void Scalex(Context& ctx, GLfixed x, GLfixed y, GLfixed z) {
    Scalef(ctx, from_fixed(x), from_fixed(y), from_fixed(z));
}
void Frustumx(Context& ctx, GLfixed l, GLfixed r, GLfixed b, GLfixed t, GLfixed n, GLfixed f) {
    Frustumf(ctx, from_fixed(l), from_fixed(r), from_fixed(b), from_fixed(t), from_fixed(n), from_fixed(f));
}
void Orthox(Context& ctx, GLfixed l, GLfixed r, GLfixed b, GLfixed t, GLfixed n, GLfixed f) {
    Orthof(ctx, from_fixed(l), from_fixed(r), from_fixed(b), from_fixed(t), from_fixed(n), from_fixed(f));
}
void LoadMatrixx(Context& ctx, const GLfixed* m) {
    if (m) LoadMatrixf(ctx, Floats<16>(m, 16).v);
}
void MultMatrixx(Context& ctx, const GLfixed* m) {
    if (m) MultMatrixf(ctx, Floats<16>(m, 16).v);
}

/// Each element is mantissa * 2^exponent; a bit of the result names an element that is no number.
GLbitfield QueryMatrixx(Context& ctx, GLfixed* mantissa, GLint* exponent) {
    GLbitfield invalid = 0;
    for (unsigned i = 0; i < 16; ++i) {
        const float v = current(ctx).top().m[i];
        int e = 0;
        const float fraction = std::isfinite(v) ? std::frexp(v, &e) : 0;
        if (!std::isfinite(v)) invalid |= 1u << i;
        mantissa[i] = to_fixed(fraction);
        exponent[i] = e;
    }
    return invalid;
}

}  // namespace terrazzo::es1
