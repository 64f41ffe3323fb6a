// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws (section 2.8) and glDrawTex (OES_draw_texture).
#include <algorithm>
#include <utility>

#include "api/es1/fixed.h"
#include "api/es1/programs.h"
#include "api/es1/texture_state.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::es1 {
namespace {

/// Makes the program for the state current. False: nothing can be drawn; the error is recorded.
bool prepare(Context& ctx, GLenum mode, bool rectangle, const char* command) {
    Key key;
    {
        std::lock_guard lock(ctx.gl.share->mutex);
        key = make_key(ctx, mode, rectangle);
    }
    return ctx.programs->use(ctx, key, command);
}

bool is_mode(Context& ctx, GLenum mode, const char* command) {
    if (mode <= GL_TRIANGLE_FAN) return true;
    ctx.gl.error(GL_INVALID_ENUM, command, "mode 0x%04x is no primitive of OpenGL ES 1.1", mode);
    return false;
}

/// Whether there is a vertex array. Without one, nothing is drawn (section 2.8).
bool has_vertices(const Context& ctx) {
    return ctx.gl.vertex_array->enabled >> attribute::kPosition & 1;
}

/// A corner of glDrawTex's rectangle.
struct Corner {
    GLfloat position[4];
    GLfloat coords[kUnits][4];
};

/// Sets the texture coordinates of the rectangle [x, x + width) x [y, y + height).
void set_coords(const st::Texture& t, unsigned unit, Corner corners[4]) {
    const TextureState* s = find_texture_state(t);
    const st::TextureImage& base = *t.image(0, t.first_level());
    const GLint none[4] = {};
    const GLint* crop = s ? s->crop : none;
    for (unsigned i = 0; i < 4; ++i) {
        corners[i].coords[unit][0] =
            (GLfloat(crop[0]) + (i & 1 ? GLfloat(crop[2]) : 0)) / GLfloat(base.width);
        corners[i].coords[unit][1] =
            (GLfloat(crop[1]) + (i & 2 ? GLfloat(crop[3]) : 0)) / GLfloat(base.height);
        corners[i].coords[unit][3] = 1;
    }
}

/// Saves the application's viewport and vertex arrays, and restores them at the end. Only the default vertex
/// array accepts client arrays.
class RectangleState {
  public:
    RectangleState(Context& ctx, GLsizei width, GLsizei height)
        : ctx_(ctx),
          array_(std::exchange(ctx.gl.vertex_array, ctx.rectangle)),
          default_array_(std::exchange(ctx.gl.default_vertex_array, ctx.rectangle)),
          buffer_(std::exchange(ctx.gl.array_buffer, nullptr)) {
        std::copy_n(ctx.gl.state.viewports[0].box, 4, viewport_);
        st::Viewport(ctx.gl, 0, 0, width, height);
    }
    ~RectangleState() {
        ctx_.gl.vertex_array = std::move(array_);
        ctx_.gl.default_vertex_array = std::move(default_array_);
        ctx_.gl.array_buffer = std::move(buffer_);
        ctx_.gl.dirty |= st::dirty::kVertexArray;
        st::Viewport(ctx_.gl, GLint(viewport_[0]), GLint(viewport_[1]), GLsizei(viewport_[2]),
                     GLsizei(viewport_[3]));
    }
    RectangleState(const RectangleState&) = delete;

  private:
    Context& ctx_;
    pipe::Ref<st::VertexArray> array_, default_array_;
    pipe::Ref<st::Buffer> buffer_;
    GLfloat viewport_[4];
};

void draw_rectangle(Context& ctx, const char* command, GLfloat x, GLfloat y, GLfloat z, GLfloat width,
                    GLfloat height) {
    if (!(width > 0) || !(height > 0))
        return ctx.gl.error(GL_INVALID_VALUE, command, "a rectangle of %g x %g pixels", double(width),
                            double(height));
    if (!st::begin_rendering(ctx.gl, command)) return;
    const st::FramebufferInfo& info = st::rendering_info(ctx.gl);
    const GLfloat w = GLfloat(info.width_px), h = GLfloat(info.height_px);
    Corner corners[4] = {};
    for (unsigned i = 0; i < 4; ++i) {
        corners[i].position[0] = 2 * (x + (i & 1 ? width : 0)) / w - 1;
        corners[i].position[1] = 2 * (y + (i & 2 ? height : 0)) / h - 1;
        corners[i].position[2] = 2 * std::clamp(z, 0.0f, 1.0f) - 1;
        corners[i].position[3] = 1;
    }
    {
        std::lock_guard lock(ctx.gl.share->mutex);
        for (unsigned unit = 0; unit < kUnits; ++unit)
            if (const st::Texture* t = sampled_texture(ctx, unit)) set_coords(*t, unit, corners);
    }
    const RectangleState saved(ctx, GLsizei(w), GLsizei(h));
    const auto attrib = [&](GLuint index, const void* pointer) {
        st::VertexAttribPointer(ctx.gl, index, 4, GL_FLOAT, GL_FALSE, sizeof(Corner), pointer);
        st::EnableVertexAttribArray(ctx.gl, index);
    };
    attrib(attribute::kPosition, corners[0].position);
    for (unsigned unit = 0; unit < kUnits; ++unit)
        attrib(attribute::kTexCoord + unit, corners[0].coords[unit]);
    if (prepare(ctx, GL_TRIANGLE_STRIP, true, command)) st::DrawArrays(ctx.gl, GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace

void DrawArrays(Context& ctx, GLenum mode, GLint first, GLsizei count) {
    if (!is_mode(ctx, mode, "glDrawArrays")) return;
    if (first < 0 || count < 0)
        return ctx.gl.error(GL_INVALID_VALUE, "glDrawArrays", "first (%d) or count (%d) is negative", first,
                            count);
    if (!has_vertices(ctx) || !prepare(ctx, mode, false, "glDrawArrays")) return;
    st::DrawArrays(ctx.gl, mode, first, count);
}

void DrawElements(Context& ctx, GLenum mode, GLsizei count, GLenum type, const void* indices) {
    if (!is_mode(ctx, mode, "glDrawElements")) return;
    if (count < 0) return ctx.gl.error(GL_INVALID_VALUE, "glDrawElements", "count (%d) is negative", count);
    if (type != GL_UNSIGNED_BYTE && type != GL_UNSIGNED_SHORT && type != GL_UNSIGNED_INT)
        return ctx.gl.error(GL_INVALID_ENUM, "glDrawElements", "type 0x%04x is no index type", type);
    if (!has_vertices(ctx) || !prepare(ctx, mode, false, "glDrawElements")) return;
    st::DrawElements(ctx.gl, mode, count, type, indices);
}

void DrawTexf(Context& ctx, GLfloat x, GLfloat y, GLfloat z, GLfloat width, GLfloat height) {
    draw_rectangle(ctx, "glDrawTexfOES", x, y, z, width, height);
}
void DrawTexi(Context& ctx, GLint x, GLint y, GLint z, GLint width, GLint height) {
    draw_rectangle(ctx, "glDrawTexiOES", GLfloat(x), GLfloat(y), GLfloat(z), GLfloat(width), GLfloat(height));
}
void DrawTexs(Context& ctx, GLshort x, GLshort y, GLshort z, GLshort width, GLshort height) {
    draw_rectangle(ctx, "glDrawTexsOES", x, y, z, width, height);
}
void DrawTexx(Context& ctx, GLfixed x, GLfixed y, GLfixed z, GLfixed width, GLfixed height) {
    draw_rectangle(ctx, "glDrawTexxOES", from_fixed(x), from_fixed(y), from_fixed(z), from_fixed(width),
                   from_fixed(height));
}
void DrawTexfv(Context& ctx, const GLfloat* coords) {
    if (coords) DrawTexf(ctx, coords[0], coords[1], coords[2], coords[3], coords[4]);
}
void DrawTexiv(Context& ctx, const GLint* coords) {
    if (coords) DrawTexi(ctx, coords[0], coords[1], coords[2], coords[3], coords[4]);
}
void DrawTexsv(Context& ctx, const GLshort* coords) {
    if (coords) DrawTexs(ctx, coords[0], coords[1], coords[2], coords[3], coords[4]);
}
void DrawTexxv(Context& ctx, const GLfixed* coords) {
    if (coords) DrawTexx(ctx, coords[0], coords[1], coords[2], coords[3], coords[4]);
}

}  // namespace terrazzo::es1
