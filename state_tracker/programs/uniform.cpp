// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform values (OpenGL ES 3.0 sections 2.12.6 and 6.1.12). A command writes a value to the program's store
// and to the blocks that the stages read. A draw then only sends the blocks that changed.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "state_tracker/programs/pipeline.h"

namespace terrazzo::st {
namespace {

using shaders::BaseType;
using shaders::UniformInfo;

/// The executable whose uniforms a command sets. Null: there is none, and the error is recorded.
struct Target {
    Executable* executable;
    GLuint name;
};

/// For Uniform*: the program in use, or the active program of the bound pipeline.
Target current(Context& ctx, const char* command) {
    if (ctx.program && ctx.executable) return {ctx.executable.get(), ctx.program->name};
    if (!ctx.program && ctx.pipeline && ctx.pipeline->active && ctx.pipeline->active->executable)
        return {ctx.pipeline->active->executable.get(), ctx.pipeline->active->name};
    ctx.error(GL_INVALID_OPERATION, command, "no program is current");
    return {nullptr, 0};
}

/// For ProgramUniform*: the program that the command names. Lock the share group.
Target named(Context& ctx, GLuint program, const char* command) {
    Program* const p = find_program(ctx, program, command);
    if (!p) return {nullptr, 0};
    if (!p->link_status) ctx.error(GL_INVALID_OPERATION, command, "program %u is not linked", program);
    return {p->link_status ? p->executable.get() : nullptr, program};
}

/// The arguments of a Uniform* command.
struct Source {
    const char* command;
    BaseType base;     // Float, Int or Uint
    unsigned columns;  // 1, or of a matrix
    unsigned rows;
    const void* data;  // 4 bytes per component
};

bool type_matches(const UniformInfo& u, const Source& s) {
    if (u.type.base == BaseType::Sampler) return s.base == BaseType::Int && s.rows == 1 && s.columns == 1;
    // Only the shader sets the units of images and atomic counters (OpenGL ES 3.1 section 7.6).
    if (u.type.base == BaseType::Image || u.type.base == BaseType::AtomicCounter) return false;
    if (u.type.rows != s.rows || u.type.columns != s.columns) return false;
    return u.type.base == s.base || (u.type.base == BaseType::Bool && s.columns == 1);
}

/// The uniform at the location; null if the data is to be ignored, or after an error was recorded.
const UniformInfo* check(Context& ctx, Target t, GLint location, GLsizei count, const Source& s,
                         uint32_t* element) {
    if (!t.executable) return nullptr;
    if (count < 0) return ctx.error(GL_INVALID_VALUE, s.command, "count (%d) is negative", count), nullptr;
    if (location == -1) return nullptr;
    const Executable& e = *t.executable;
    if (location < 0 || size_t(location) >= e.locations.size() || e.locations[size_t(location)].uniform < 0)
        return ctx.error(GL_INVALID_OPERATION, s.command, "program %u has no location %d", t.name, location),
               nullptr;
    const Executable::Location l = e.locations[size_t(location)];
    const UniformInfo& u = e.linked->uniforms[size_t(l.uniform)];
    if (!type_matches(u, s))
        return ctx.error(GL_INVALID_OPERATION, s.command, "uniform \"%.200s\" has another type",
                         u.name.c_str()),
               nullptr;
    if (count > 1 && !u.is_array)
        return ctx.error(GL_INVALID_OPERATION, s.command, "uniform \"%.200s\" is no array, count is %d",
                         u.name.c_str(), count),
               nullptr;
    *element = l.element;
    return &u;
}

/// Writes dwords to the store. False: nothing changed.
bool store(uint32_t* dst, const void* src, uint32_t dwords, BaseType to, BaseType from) {
    if (to != BaseType::Bool) {
        // Most values are one vector, which costs less than a call of memcmp and memcpy.
        const auto* from = static_cast<const char*>(src);
        uint32_t i = 0;
        for (uint32_t word; i < dwords; ++i, from += 4) {
            std::memcpy(&word, from, 4);
            if (word != dst[i]) break;
        }
        if (i == dwords) return false;
        std::memcpy(dst + i, from, size_t(dwords - i) * 4);
        return true;
    }
    bool changed = false;
    for (uint32_t i = 0; i < dwords; ++i) {
        uint32_t bits;
        std::memcpy(&bits, static_cast<const char*>(src) + size_t(i) * 4, 4);
        uint32_t value = from == BaseType::Float ? std::bit_cast<float>(bits) != 0.0f : bits != 0;
        changed |= dst[i] != value;
        dst[i] = value;
    }
    return changed;
}

void set_uniform(Context& ctx, Target t, GLint location, GLsizei count, const Source& s) {
    uint32_t first;
    const UniformInfo* u = check(ctx, t, location, count, s, &first);
    if (!u || count == 0 || !s.data) return;
    const uint32_t n = std::min(uint32_t(count), std::max(u->array_size, 1u) - first);
    const bool sampler = u->type.base == BaseType::Sampler;
    const uint32_t stride_dw = sampler ? 1 : u->type.components();
    Executable& e = *t.executable;
    if (sampler)
        for (uint32_t i = 0; i < n; ++i) {
            GLint unit;
            std::memcpy(&unit, static_cast<const char*>(s.data) + size_t(i) * 4, 4);
            if (unit < 0 || unit >= ctx.limits.max_combined_textures)
                return ctx.error(GL_INVALID_VALUE, s.command,
                                 "%d is not below GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS (%d)", unit,
                                 ctx.limits.max_combined_textures);
        }
    if (!store(e.values.data() + u->storage_dw + size_t(first) * stride_dw, s.data, n * stride_dw,
               u->type.base, s.base))
        return;
    ++e.change_stamp;
    if (sampler) {
        e.update_samplers();
        ctx.dirty |= dirty::kTextures;
    } else {
        e.update_blocks(*u, first, n);
        ctx.dirty |= dirty::kUniforms;
    }
}

/// Sets a matrix of `columns` by `rows`. With `transpose` the data is in row-major order.
void set_matrix(Context& ctx, Target t, GLint location, GLsizei count, GLboolean transpose, const Source& s) {
    if (!t.executable) return;
    if (transpose && ctx.config.version < 30)
        return ctx.error(GL_INVALID_VALUE, s.command, "transpose is not GL_FALSE");
    if (!transpose) return set_uniform(ctx, t, location, count, s);
    uint32_t first;
    const UniformInfo* u = check(ctx, t, location, count, s, &first);
    if (!u || !s.data) return;
    const auto* const value = static_cast<const GLfloat*>(s.data);
    const GLsizei elements = GLsizei(std::min(uint32_t(count), std::max(u->array_size, 1u) - first));
    for (GLsizei m = 0; m < elements; ++m) {
        GLfloat turned[16];
        for (unsigned c = 0; c < s.columns; ++c)
            for (unsigned r = 0; r < s.rows; ++r)
                turned[c * s.rows + r] = value[size_t(m) * s.columns * s.rows + r * s.columns + c];
        set_uniform(ctx, t, location + m, 1, {s.command, BaseType::Float, s.columns, s.rows, turned});
    }
}

// --- queries

GLint to_int(float f) {
    if (!(f > -2147483648.0f)) return f != f ? 0 : INT32_MIN;
    return f >= 2147483648.0f ? INT32_MAX : GLint(std::lround(f));
}
void convert(float f, GLfloat* out) {
    *out = f;
}
void convert(float f, GLint* out) {
    *out = to_int(f);
}
void convert(float f, GLuint* out) {
    *out = f > 0 ? (f >= 4294967296.0f ? UINT32_MAX : GLuint(std::llround(f))) : 0;
}

/// `buf_size`: bytes of params, used if `bounded`.
template <class T>
void get_uniform(Context& ctx, const char* command, GLuint program, GLint location, bool bounded,
                 GLsizei buf_size, T* params) {
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, command);
    if (!p) return;
    if (!p->link_status) return ctx.error(GL_INVALID_OPERATION, command, "program %u is not linked", program);
    const Executable& e = *p->executable;
    if (location < 0 || size_t(location) >= e.locations.size() || e.locations[size_t(location)].uniform < 0)
        return ctx.error(GL_INVALID_OPERATION, command, "program %u has no location %d", program, location);
    const Executable::Location l = e.locations[size_t(location)];
    const UniformInfo& u = e.linked->uniforms[size_t(l.uniform)];
    const uint32_t n = u.type.base == BaseType::Sampler ? 1 : u.type.components();
    if (bounded && (buf_size < 0 || size_t(buf_size) < n * sizeof(T)))
        return ctx.error(GL_INVALID_OPERATION, command, "bufSize is %d, the value has %zu bytes", buf_size,
                         n * sizeof(T));
    const uint32_t* value = e.values.data() + u.storage_dw + size_t(l.element) * n;
    for (uint32_t i = 0; params && i < n; ++i) {
        if (u.type.base == BaseType::Float)
            convert(std::bit_cast<float>(value[i]), &params[i]);
        else if (u.type.base == BaseType::Uint)
            params[i] = T(value[i]);
        else
            params[i] = T(GLint(value[i]));
    }
}

}  // namespace

// Each glUniform* command exists for the program in use and, as glProgramUniform*, for a named program.

#define TERRAZZO_1(T) T v0
#define TERRAZZO_2(T) T v0, T v1
#define TERRAZZO_3(T) T v0, T v1, T v2
#define TERRAZZO_4(T) T v0, T v1, T v2, T v3
#define TERRAZZO_SCALARS(n, suffix, T, base, params, ...)                                          \
    void Uniform##n##suffix(Context& ctx, GLint location, params(T)) {                             \
        const T v[] = {__VA_ARGS__};                                                               \
        const Source s{"glUniform" #n #suffix, BaseType::base, 1, n, v};                           \
        set_uniform(ctx, current(ctx, s.command), location, 1, s);                                 \
    }                                                                                              \
    void ProgramUniform##n##suffix(Context& ctx, GLuint program, GLint location, params(T)) {      \
        const T v[] = {__VA_ARGS__};                                                               \
        const Source s{"glProgramUniform" #n #suffix, BaseType::base, 1, n, v};                    \
        std::lock_guard lock(ctx.share->mutex);                                                    \
        set_uniform(ctx, named(ctx, program, s.command), location, 1, s);                          \
    }                                                                                              \
    void Uniform##n##suffix##v(Context& ctx, GLint location, GLsizei count, const T* value) {      \
        const Source s{"glUniform" #n #suffix "v", BaseType::base, 1, n, value};                   \
        set_uniform(ctx, current(ctx, s.command), location, count, s);                             \
    }                                                                                              \
    void ProgramUniform##n##suffix##v(Context& ctx, GLuint program, GLint location, GLsizei count, \
                                      const T* value) {                                            \
        const Source s{"glProgramUniform" #n #suffix "v", BaseType::base, 1, n, value};            \
        std::lock_guard lock(ctx.share->mutex);                                                    \
        set_uniform(ctx, named(ctx, program, s.command), location, count, s);                      \
    }
#define TERRAZZO_UNIFORM(n, params, ...)                        \
    TERRAZZO_SCALARS(n, f, GLfloat, Float, params, __VA_ARGS__) \
    TERRAZZO_SCALARS(n, i, GLint, Int, params, __VA_ARGS__)     \
    TERRAZZO_SCALARS(n, ui, GLuint, Uint, params, __VA_ARGS__)
TERRAZZO_UNIFORM(1, TERRAZZO_1, v0)
TERRAZZO_UNIFORM(2, TERRAZZO_2, v0, v1)
TERRAZZO_UNIFORM(3, TERRAZZO_3, v0, v1, v2)
TERRAZZO_UNIFORM(4, TERRAZZO_4, v0, v1, v2, v3)
#undef TERRAZZO_UNIFORM
#undef TERRAZZO_SCALARS
#undef TERRAZZO_1
#undef TERRAZZO_2
#undef TERRAZZO_3
#undef TERRAZZO_4

#define TERRAZZO_MATRIX(name, columns, rows)                                                         \
    void UniformMatrix##name##fv(Context& ctx, GLint location, GLsizei count, GLboolean transpose,   \
                                 const GLfloat* value) {                                             \
        const Source s{"glUniformMatrix" #name "fv", BaseType::Float, columns, rows, value};         \
        set_matrix(ctx, current(ctx, s.command), location, count, transpose, s);                     \
    }                                                                                                \
    void ProgramUniformMatrix##name##fv(Context& ctx, GLuint program, GLint location, GLsizei count, \
                                        GLboolean transpose, const GLfloat* value) {                 \
        const Source s{"glProgramUniformMatrix" #name "fv", BaseType::Float, columns, rows, value};  \
        std::lock_guard lock(ctx.share->mutex);                                                      \
        set_matrix(ctx, named(ctx, program, s.command), location, count, transpose, s);              \
    }
TERRAZZO_MATRIX(2, 2, 2)
TERRAZZO_MATRIX(3, 3, 3)
TERRAZZO_MATRIX(4, 4, 4)
TERRAZZO_MATRIX(2x3, 2, 3)
TERRAZZO_MATRIX(2x4, 2, 4)
TERRAZZO_MATRIX(3x2, 3, 2)
TERRAZZO_MATRIX(3x4, 3, 4)
TERRAZZO_MATRIX(4x2, 4, 2)
TERRAZZO_MATRIX(4x3, 4, 3)
#undef TERRAZZO_MATRIX

void GetUniformfv(Context& ctx, GLuint program, GLint location, GLfloat* params) {
    get_uniform(ctx, "glGetUniformfv", program, location, false, 0, params);
}
void GetUniformiv(Context& ctx, GLuint program, GLint location, GLint* params) {
    get_uniform(ctx, "glGetUniformiv", program, location, false, 0, params);
}
void GetUniformuiv(Context& ctx, GLuint program, GLint location, GLuint* params) {
    get_uniform(ctx, "glGetUniformuiv", program, location, false, 0, params);
}
void GetnUniformfv(Context& ctx, GLuint program, GLint location, GLsizei bufSize, GLfloat* params) {
    get_uniform(ctx, "glGetnUniformfvKHR", program, location, true, bufSize, params);
}
void GetnUniformiv(Context& ctx, GLuint program, GLint location, GLsizei bufSize, GLint* params) {
    get_uniform(ctx, "glGetnUniformivKHR", program, location, true, bufSize, params);
}
void GetnUniformuiv(Context& ctx, GLuint program, GLint location, GLsizei bufSize, GLuint* params) {
    get_uniform(ctx, "glGetnUniformuivKHR", program, location, true, bufSize, params);
}

}  // namespace terrazzo::st
