// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures: the arguments that OpenGL ES 1.1 accepts (section 3.7), and the features that the state tracker's
// textures lack: generation of mipmaps after changes (GL_GENERATE_MIPMAP) and the rectangle of
// OES_draw_texture.
#include <algorithm>

#include "api/es1/fixed.h"
#include "api/es1/paletted.h"
#include "api/es1/texture_state.h"

namespace terrazzo::es1 {
namespace {

bool is_format(GLenum f) {
    return f == GL_ALPHA || f == GL_RGB || f == GL_RGBA || f == GL_LUMINANCE || f == GL_LUMINANCE_ALPHA ||
           f == GL_BGRA_EXT;
}
bool is_type(GLenum t) {
    return t == GL_UNSIGNED_BYTE || t == GL_UNSIGNED_SHORT_5_6_5 || t == GL_UNSIGNED_SHORT_4_4_4_4 ||
           t == GL_UNSIGNED_SHORT_5_5_5_1;
}

bool check_transfer(Context& ctx, const char* command, GLenum format, GLenum type) {
    if (!is_format(format))
        ctx.gl.error(GL_INVALID_ENUM, command, "format 0x%04x is no format of OpenGL ES 1.1's textures",
                     format);
    else if (!is_type(type))
        ctx.gl.error(GL_INVALID_ENUM, command, "type 0x%04x is no type of OpenGL ES 1.1's textures", type);
    return is_format(format) && is_type(type);
}

/// The bound texture of an image target; null: there is none. Lock the share group.
st::Texture* image_texture(Context& ctx, GLenum target) {
    st::ImageTarget it;
    return st::image_target(ctx.gl, target, 2, &it) ? &st::bound_texture(ctx.gl, it.target) : nullptr;
}

/// Call after a change of level 0: with GL_GENERATE_MIPMAP, regenerates the other levels. A cube map waits
/// until all its faces match.
void update_mipmaps(Context& ctx, GLenum target, GLint level) {
    if (level != 0) return;
    {
        std::lock_guard lock(ctx.gl.share->mutex);
        const st::Texture* t = image_texture(ctx, target);
        const TextureState* s = t ? find_texture_state(*t) : nullptr;
        if (!s || !s->generate_mipmap) return;
        const st::TextureImage* base = t->image(0, 0);
        if (!base || !base->resource || !st::mipmap_format(ctx.gl, *base->format, base->internal_format))
            return;
        if (t->faces() == 6 && !st::cube_complete(*t, 0)) return;
    }
    st::GenerateMipmap(ctx.gl, target == GL_TEXTURE_2D ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP);
}

bool is_wrap(GLenum w) {
    return w == GL_REPEAT || w == GL_CLAMP_TO_EDGE || w == GL_MIRRORED_REPEAT;
}

/// Parameters of OpenGL ES 1.1 that the state tracker's textures have.
bool is_shared_parameter(GLenum pname) {
    return pname == GL_TEXTURE_MIN_FILTER || pname == GL_TEXTURE_MAG_FILTER || pname == GL_TEXTURE_WRAP_S ||
           pname == GL_TEXTURE_WRAP_T || pname == GL_TEXTURE_MAX_ANISOTROPY_EXT ||
           pname == GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES;
}

void set_parameter(Context& ctx, const char* command, GLenum target, GLenum pname, const GLfloat* v,
                   bool vector) {
    st::TextureTarget tt;
    if (!texture_target(target, &tt)) return ctx.gl.error(GL_INVALID_ENUM, command, "target 0x%04x", target);
    if (!v) return;
    if (pname == GL_GENERATE_MIPMAP || (pname == GL_TEXTURE_CROP_RECT_OES && vector)) {
        std::lock_guard lock(ctx.gl.share->mutex);
        TextureState& s = texture_state(st::bound_texture(ctx.gl, tt));
        if (pname == GL_GENERATE_MIPMAP)
            s.generate_mipmap = v[0] != 0;
        else
            for (unsigned i = 0; i < 4; ++i)
                s.crop[i] = GLint(v[i]);
        return;
    }
    if (!is_shared_parameter(pname) || pname == GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES)
        return ctx.gl.error(GL_INVALID_ENUM, command,
                            "pname 0x%04x is no parameter of textures that this command sets", pname);
    if ((pname == GL_TEXTURE_WRAP_S || pname == GL_TEXTURE_WRAP_T) && !is_wrap(GLenum(v[0])))
        return ctx.gl.error(GL_INVALID_ENUM, command, "pname 0x%04x cannot be 0x%04x", pname, GLenum(v[0]));
    st::TexParameterf(ctx.gl, target, pname, v[0]);
}

/// Returns four values for the crop rectangle, otherwise one. False: the error is recorded.
bool get_parameter(Context& ctx, const char* command, GLenum target, GLenum pname, GLfloat* out) {
    st::TextureTarget tt;
    if (!texture_target(target, &tt))
        return ctx.gl.error(GL_INVALID_ENUM, command, "target 0x%04x", target), false;
    if (pname == GL_GENERATE_MIPMAP || pname == GL_TEXTURE_CROP_RECT_OES) {
        std::lock_guard lock(ctx.gl.share->mutex);
        const TextureState* s = find_texture_state(st::bound_texture(ctx.gl, tt));
        if (pname == GL_GENERATE_MIPMAP)
            out[0] = s && s->generate_mipmap;
        else
            for (unsigned i = 0; i < 4; ++i)
                out[i] = s ? GLfloat(s->crop[i]) : 0;
        return true;
    }
    if (!is_shared_parameter(pname))
        return ctx.gl.error(GL_INVALID_ENUM, command, "pname 0x%04x is no parameter of textures", pname),
               false;
    st::GetTexParameterfv(ctx.gl, target, pname, out);
    return true;
}

}  // namespace

st::Texture* sampled_texture(Context& ctx, unsigned unit) {
    const TextureUnit& u = ctx.state.units[unit];
    if (!u.enabled_cube && !u.enabled_external && !u.enabled_2d) return nullptr;
    const st::TextureTarget target = u.enabled_cube       ? st::TextureTarget::Cube
                                     : u.enabled_external ? st::TextureTarget::External
                                                          : st::TextureTarget::Tex2D;
    st::Texture& t = *ctx.gl.textures[unit][unsigned(target)];
    const bool complete = st::texture_completeness(t, t.params.mipmapped()).complete &&
                          !st::broken_filter_rule(ctx.gl, t, t.params);
    return complete ? &t : nullptr;
}

void ActiveTexture(Context& ctx, GLenum texture) {
    if (texture < GL_TEXTURE0 || texture >= GL_TEXTURE0 + kUnits)
        return ctx.gl.error(GL_INVALID_ENUM, "glActiveTexture", "0x%04x is not one of %u units", texture,
                            kUnits);
    st::ActiveTexture(ctx.gl, texture);
}

void BindTexture(Context& ctx, GLenum target, GLuint texture) {
    st::TextureTarget tt;
    if (!texture_target(target, &tt))
        return ctx.gl.error(GL_INVALID_ENUM, "glBindTexture", "target 0x%04x", target);
    st::BindTexture(ctx.gl, target, texture);
}

void TexImage2D(Context& ctx, GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                GLint border, GLenum format, GLenum type, const void* pixels) {
    if (!is_format(GLenum(internalformat)))
        return ctx.gl.error(GL_INVALID_VALUE, "glTexImage2D",
                            "internal format 0x%04x is none of OpenGL ES 1.1", unsigned(internalformat));
    if (!check_transfer(ctx, "glTexImage2D", format, type)) return;
    if (GLenum(internalformat) != format && !(format == GL_BGRA_EXT && internalformat == GL_RGBA))
        return ctx.gl.error(GL_INVALID_OPERATION, "glTexImage2D",
                            "format 0x%04x is not the internal format 0x%04x", format,
                            unsigned(internalformat));
    st::TexImage2D(ctx.gl, target, level, GLint(format), width, height, border, format, type, pixels);
    update_mipmaps(ctx, target, level);
}

void TexSubImage2D(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                   GLsizei height, GLenum format, GLenum type, const void* pixels) {
    if (!check_transfer(ctx, "glTexSubImage2D", format, type)) return;
    st::TexSubImage2D(ctx.gl, target, level, xoffset, yoffset, width, height, format, type, pixels);
    update_mipmaps(ctx, target, level);
}

void CopyTexImage2D(Context& ctx, GLenum target, GLint level, GLenum internalformat, GLint x, GLint y,
                    GLsizei width, GLsizei height, GLint border) {
    if (!is_format(internalformat) || internalformat == GL_BGRA_EXT)
        return ctx.gl.error(GL_INVALID_ENUM, "glCopyTexImage2D",
                            "internal format 0x%04x is none of OpenGL ES 1.1", internalformat);
    st::CopyTexImage2D(ctx.gl, target, level, internalformat, x, y, width, height, border);
    update_mipmaps(ctx, target, level);
}

void CopyTexSubImage2D(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint x,
                       GLint y, GLsizei width, GLsizei height) {
    st::CopyTexSubImage2D(ctx.gl, target, level, xoffset, yoffset, x, y, width, height);
    update_mipmaps(ctx, target, level);
}

void CompressedTexImage2D(Context& ctx, GLenum target, GLint level, GLenum internalformat, GLsizei width,
                          GLsizei height, GLint border, GLsizei imageSize, const void* data) {
    if (is_paletted(internalformat))
        return paletted_image(ctx, target, level, internalformat, width, height, border, imageSize, data);
    if (internalformat != GL_ETC1_RGB8_OES)
        return ctx.gl.error(GL_INVALID_ENUM, "glCompressedTexImage2D",
                            "internal format 0x%04x is none of OpenGL ES 1.1", internalformat);
    st::CompressedTexImage2D(ctx.gl, target, level, internalformat, width, height, border, imageSize, data);
}

void CompressedTexSubImage2D(Context& ctx, GLenum target, GLint level, GLint xoffset, GLint yoffset,
                             GLsizei width, GLsizei height, GLenum format, GLsizei imageSize,
                             const void* data) {
    // Section 3.7.4: parts of paletted images cannot be changed. For ETC1 the state tracker checks that.
    if (is_paletted(format))
        return ctx.gl.error(GL_INVALID_OPERATION, "glCompressedTexSubImage2D",
                            "paletted images cannot be changed in part");
    st::CompressedTexSubImage2D(ctx.gl, target, level, xoffset, yoffset, width, height, format, imageSize,
                                data);
}

void GenerateMipmap(Context& ctx, GLenum target) {
    if (target != GL_TEXTURE_2D && target != GL_TEXTURE_CUBE_MAP_OES)
        return ctx.gl.error(GL_INVALID_ENUM, "glGenerateMipmapOES", "target 0x%04x", target);
    st::GenerateMipmap(ctx.gl, target);
}

void TexParameterf(Context& ctx, GLenum target, GLenum pname, GLfloat param) {
    set_parameter(ctx, "glTexParameterf", target, pname, &param, false);
}
void TexParameterfv(Context& ctx, GLenum target, GLenum pname, const GLfloat* params) {
    set_parameter(ctx, "glTexParameterfv", target, pname, params, true);
}
void TexParameteri(Context& ctx, GLenum target, GLenum pname, GLint param) {
    const GLfloat v = GLfloat(param);
    set_parameter(ctx, "glTexParameteri", target, pname, &v, false);
}
void TexParameteriv(Context& ctx, GLenum target, GLenum pname, const GLint* params) {
    GLfloat v[4] = {};
    for (unsigned i = 0; params && i < parameter_count(pname); ++i)
        v[i] = GLfloat(params[i]);
    if (params) set_parameter(ctx, "glTexParameteriv", target, pname, v, true);
}
void TexParameterx(Context& ctx, GLenum target, GLenum pname, GLfixed param) {
    const GLfloat v = is_enum_parameter(pname) ? GLfloat(param) : from_fixed(param);
    set_parameter(ctx, "glTexParameterx", target, pname, &v, false);
}
void TexParameterxv(Context& ctx, GLenum target, GLenum pname, const GLfixed* params) {
    if (params)
        set_parameter(ctx, "glTexParameterxv", target, pname, fixed_parameters(pname, params).v, true);
}

void GetTexParameterfv(Context& ctx, GLenum target, GLenum pname, GLfloat* params) {
    GLfloat v[4] = {};
    if (get_parameter(ctx, "glGetTexParameterfv", target, pname, v))
        std::copy_n(v, parameter_count(pname), params);
}
void GetTexParameteriv(Context& ctx, GLenum target, GLenum pname, GLint* params) {
    GLfloat v[4] = {};
    if (get_parameter(ctx, "glGetTexParameteriv", target, pname, v))
        for (unsigned i = 0; i < parameter_count(pname); ++i)
            params[i] = GLint(v[i]);
}
void GetTexParameterxv(Context& ctx, GLenum target, GLenum pname, GLfixed* params) {
    GLfloat v[4] = {};
    if (get_parameter(ctx, "glGetTexParameterxv", target, pname, v)) write_fixed_parameters(pname, v, params);
}

}  // namespace terrazzo::es1
