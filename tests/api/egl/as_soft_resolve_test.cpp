// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EXT_multisampled_render_to_texture on a device and on the CPU: every colour format, sizes from 1 to 2,000,
// cleared, drawn, loaded, and with other attachments.
#include <cmath>

#include "tests/api/egl/as_soft.h"

using namespace as_soft;

namespace {

struct Format {
    GLenum internal;
    char numbers;  // f, i, u; n: normalised
};
const Format kFormats[] = {
    {GL_R8, 'n'},         {GL_RG8, 'n'},       {GL_RGB8, 'n'},      {GL_RGB565, 'n'},
    {GL_RGBA4, 'n'},      {GL_RGB5_A1, 'n'},   {GL_RGBA8, 'n'},     {GL_SRGB8_ALPHA8, 'n'},
    {GL_RGB10_A2, 'n'},   {GL_BGRA8_EXT, 'n'}, {GL_R16_EXT, 'n'},   {GL_RG16_EXT, 'n'},
    {GL_RGBA16_EXT, 'n'}, {GL_R8_SNORM, 'n'},  {GL_RG8_SNORM, 'n'}, {GL_RGBA8_SNORM, 'n'},
    {GL_R16F, 'f'},       {GL_RG16F, 'f'},     {GL_RGB16F, 'f'},    {GL_RGBA16F, 'f'},
    {GL_R32F, 'f'},       {GL_RG32F, 'f'},     {GL_RGBA32F, 'f'},   {GL_R11F_G11F_B10F, 'f'},
    {GL_R8I, 'i'},        {GL_RG8I, 'i'},      {GL_RGBA8I, 'i'},    {GL_R16I, 'i'},
    {GL_RGBA16I, 'i'},    {GL_R32I, 'i'},      {GL_RG32I, 'i'},     {GL_RGBA32I, 'i'},
    {GL_R8UI, 'u'},       {GL_RG8UI, 'u'},     {GL_RGBA8UI, 'u'},   {GL_RG16UI, 'u'},
    {GL_RGB10_A2UI, 'u'}, {GL_RGBA32UI, 'u'},
};
struct Size {
    GLsizei width, height;
};

enum class Scene { Cleared, Drawn, DrawnOnly, Kept, Many };

/// The content of a texture of that format and size after the scene. The first value is whether it could be
/// rendered to.
std::vector<float> draw(const Format& f, Size size, GLsizei samples, Scene scene, bool depth = false) {
    const auto attach =
        fixture::proc<PFNGLFRAMEBUFFERTEXTURE2DMULTISAMPLEEXTPROC>("glFramebufferTexture2DMultisampleEXT");
    const auto storage =
        fixture::proc<PFNGLRENDERBUFFERSTORAGEMULTISAMPLEEXTPROC>("glRenderbufferStorageMultisampleEXT");
    const std::string vec = f.numbers == 'i' ? "ivec4" : f.numbers == 'u' ? "uvec4" : "vec4";
    const GLuint p = program({{GL_VERTEX_SHADER,
                               "uniform vec4 place; void main() {\n"
                               "vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;\n"
                               "gl_Position = vec4(p * place.xy + place.zw, 0.5 * p.x, 1.0); }"},
                              {GL_FRAGMENT_SHADER, "uniform vec4 color; out " + vec +
                                                       " o; void main() { o = " + vec + "(color); }"}});
    const bool integer = f.numbers == 'i' || f.numbers == 'u';
    const float scale = integer ? 100.0f : 1.0f;
    const auto triangle = [&](float sx, float sy, float x, float y, float r, float g, float b) {
        glUniform4f(glGetUniformLocation(p, "place"), sx, sy, x, y);
        glUniform4f(glGetUniformLocation(p, "color"), r * scale, g * scale, b * scale, scale);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    };
    const auto clear = [&](float r, float g, float b) {
        const GLint i[4] = {GLint(r * scale), GLint(g * scale), GLint(b * scale), 1};
        const GLuint u[4] = {GLuint(i[0]), GLuint(i[1]), GLuint(i[2]), 1};
        const GLfloat n[4] = {r, g, b, 1};
        if (f.numbers == 'i')
            glClearBufferiv(GL_COLOR, 0, i);
        else if (f.numbers == 'u')
            glClearBufferuiv(GL_COLOR, 0, u);
        else
            glClearBufferfv(GL_COLOR, 0, n);
        if (depth) glClear(GL_DEPTH_BUFFER_BIT);
    };
    const GLuint t = texture(GL_TEXTURE_2D, f.internal, size.width, size.height);
    framebuffer(0, size.width, size.height);
    attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0, samples);
    if (depth) {
        GLuint r = 0;
        glGenRenderbuffers(1, &r);
        glBindRenderbuffer(GL_RENDERBUFFER, r);
        storage(GL_RENDERBUFFER, samples, GL_DEPTH24_STENCIL8, size.width, size.height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, r);
        glEnable(GL_DEPTH_TEST);
    }
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) return {0.0f};
    if (scene != Scene::DrawnOnly) clear(0, 0.5f, 0.25f);
    if (scene == Scene::Kept) glFinish();
    if (scene != Scene::Cleared) triangle(0.7f, 0.6f, 0.1f, -0.05f, 1, 0, 0.5f);
    if (scene == Scene::Kept) {
        // Resolved, then drawn to again.
        glFinish();
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, size.height / 3, std::max(1, size.width / 2), std::max(1, size.height / 2));
        clear(1, 1, 0);
        glDisable(GL_SCISSOR_TEST);
        triangle(-0.5f, -0.6f, 0.1f, -0.05f, 0, 1, 0.5f);
    }
    for (int i = 0; scene == Scene::Many && i < 12; ++i)
        triangle(1.1f - 0.06f * float(i), i & 1 ? 1.05f : -1.05f, 0, 0, i & 2 ? 1.0f : 0.0f, 1, 0);
    glDisable(GL_DEPTH_TEST);
    // Through a texture of floats, which all devices can read.
    const std::string sampler = f.numbers == 'i'   ? "isampler2D"
                                : f.numbers == 'u' ? "usampler2D"
                                                   : "sampler2D";
    program(
        {{GL_VERTEX_SHADER, kAll},
         {GL_FRAGMENT_SHADER, "uniform highp " + sampler +
                                  " t; in vec2 uv; out vec4 o;\n"
                                  "void main() { o = vec4(texelFetch(t, ivec2(gl_FragCoord.xy), 0)); }"}});
    framebuffer(texture(GL_TEXTURE_2D, GL_RGBA32F, size.width, size.height), size.width, size.height);
    glBindTexture(GL_TEXTURE_2D, t);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    const Bytes bytes = read(size.width, size.height, GL_RGBA, GL_FLOAT, 16);
    std::vector<float> out(bytes.size() / 4 + 1, 1.0f);
    std::memcpy(out.data() + 1, bytes.data(), bytes.size());
    return out;
}

/// The mean may be rounded differently.
void check_near(const Format& f, const std::vector<float>& got, const std::vector<float>& wanted) {
    REQUIRE(got.size() == wanted.size());
    const float most =
        f.numbers == 'i' || f.numbers == 'u' ? 0.0f
        : f.internal == GL_RGBA4             ? 1.01f / 15
        : f.internal == GL_RGB565 || f.internal == GL_RGB5_A1 || f.internal == GL_R11F_G11F_B10F
            ? 1.01f / 31
            : 1.01f / 127;
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < got.size(); ++i)
        if (!(std::fabs(got[i] - wanted[i]) <= most) && !wrong++) first = i;
    CAPTURE(first);
    CAPTURE(got[first]);
    CAPTURE(wanted[first]);
    CHECK(wrong == 0);
}

void check_scenes(const Format& f, Size size, std::initializer_list<Scene> scenes, bool depth = false) {
    for (const GLsizei samples : {2, 4}) {
        std::vector<std::vector<float>> wanted;
        {
            const Device soft("soft");
            for (const Scene s : scenes)
                wanted.push_back(draw(f, size, samples, s, depth));
            CHECK(glGetError() == GL_NO_ERROR);
        }
        const Device device(nullptr);
        auto w = wanted.begin();
        for (const Scene s : scenes) {
            const int scene = int(s);
            CAPTURE(f.internal);
            CAPTURE(size.width);
            CAPTURE(size.height);
            CAPTURE(samples);
            CAPTURE(scene);
            CAPTURE(depth);
            check_near(f, draw(f, size, samples, s, depth), *w++);
        }
        CHECK(glGetError() == GL_NO_ERROR);
    }
}

constexpr std::initializer_list<Scene> kAllScenes = {Scene::Cleared, Scene::Drawn, Scene::DrawnOnly,
                                                     Scene::Kept, Scene::Many};

}  // namespace

TEST_CASE("as soft: implicit resolves of every colour format") {
    for (const Format& f : kFormats)
        for (const Size size : {Size{1, 1}, Size{17, 5}, Size{64, 64}, Size{150, 33}})
            check_scenes(f, size, kAllScenes);
}

TEST_CASE("as soft: implicit resolves of every size") {
    for (const GLenum format : {GL_RGBA8, GL_RGB565, GL_RG16F})
        for (const Size size :
             {Size{2, 1}, Size{3, 3}, Size{16, 16}, Size{31, 32}, Size{33, 31}, Size{65, 64}, Size{255, 17},
              Size{800, 560}, Size{2000, 1}, Size{1, 2000}, Size{2000, 19}})
            check_scenes({format, format == GL_RG16F ? 'f' : 'n'}, size, {Scene::Cleared, Scene::Kept});
}

TEST_CASE("as soft: implicit resolves with depth and stencil") {
    for (const GLenum format : {GL_RGBA8, GL_RGB565, GL_RG8})
        for (const Size size : {Size{16, 16}, Size{64, 64}, Size{200, 120}})
            check_scenes({format, 'n'}, size, {Scene::Drawn, Scene::Kept, Scene::Many}, true);
}
