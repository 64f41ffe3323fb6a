// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A fuzz target: program binaries through glProgramBinaryOES, and what is accepted drawn with. The checksum
// is made right, so that nothing but the rules of shaders/link/check.h and shaders/ir/validate_linked.h
// stands between the bytes and the driver. fuzz_mutate() changes programs as programs: numbers in the tables
// and in the code, operations, operands; and now and then bytes. Where there is no input, it begins with a
// program of its own.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <GLES3/gl3.h>
#include <xxhash.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "shaders/compile.h"
#include "shaders/ir/clone.h"
#include "shaders/passes/gather_info.h"
#include "shaders/passes/walk.h"

extern uint64_t fuzz_accepted;  // inputs that were drawn with
int fuzz_one(const uint8_t* data, size_t size);
size_t fuzz_mutate(uint8_t* data, size_t size, size_t max_size, uint32_t seed);

namespace {

using namespace terrazzo;
using Bytes = std::vector<uint8_t>;

constexpr GLenum kFormat = 0x545A;
constexpr size_t kHeader_B = 24;

constexpr const char* kPairs[][2] = {
    {"attribute vec4 position; attribute vec3 direction; attribute mat2 extra; uniform mat4 mvp; uniform "
     "vec4 bones[6];"
     "uniform ivec2 which; uniform bool flip; uniform sampler2D tex; varying vec3 normal; varying vec2 uv;"
     "void main() { float w[5]; w[0] = position.x; w[1] = direction.y; w[2] = extra[1].x; w[3] = 1.0; w[4] = "
     "2.0;"
     " w[which.y] = 0.5; vec4 p = mvp * position + bones[which.x] * w[which.x]; if (flip) p.xy = extra * "
     "p.xy;"
     " for (int i = 0; i < 20; i++) { if (p.x > 9.0) break; p.x += w[which.y] * 0.1; }"
     " normal = direction * texture2D(tex, p.xy).xyz; uv = p.xy; gl_Position = p; gl_PointSize = 3.0 + p.y; "
     "}",
     "#extension GL_OES_standard_derivatives : enable\n"
     "precision highp float; uniform sampler2D tex; uniform sampler2D more[3]; uniform samplerCube cube;"
     "uniform vec4 table[5]; uniform ivec4 a; uniform float k[3]; varying vec3 normal; varying vec2 uv;"
     "void main() { vec4 c = texture2D(tex, uv) + textureCube(cube, normal) + texture2D(more[1], uv.yx, 1.0);"
     " for (int i = 0; i < 3; i++) c += texture2D(more[i], uv * float(i)); float s[4]; s[0] = c.x; s[1] = "
     "c.y;"
     " s[2] = k[a.x]; s[3] = gl_FragCoord.z; s[a.y] += 1.0; c += table[a.z] * s[a.w];"
     " int n = a.x; while (n > 0) { c.x = fract(c.x + sin(c.y)); if (c.x > 0.9) { n -= 2; continue; } n--; }"
     " if (c.a < 0.01 && !gl_FrontFacing) discard; c.xy += dFdx(uv) + gl_PointCoord; gl_FragColor = c; }"},
    {"attribute vec4 position; varying vec4 v; void main() { gl_Position = position; v = position * "
     "gl_DepthRange.diff; }",
     "precision mediump float; varying vec4 v; uniform vec4 u; void main() { gl_FragColor = v + u; }"},
    {"attribute vec4 position; varying vec2 v; void main() { gl_Position = position; v = position.xy; }",
     "#extension GL_EXT_draw_buffers : enable\n#extension GL_EXT_frag_depth : enable\n"
     "precision highp float; varying vec2 v; uniform mat3 m; uniform int n;"
     "void main() { mat3 t = m; t[n] = vec3(v, 1.0); gl_FragData[0] = vec4(t[1] * m, v[n]);"
     " gl_FragDepthEXT = t[2][n]; if (v.x > 0.5) gl_FragData[1] = vec4(pow(v.x, 2.0)); }"},
    {"#version 300 es\nin vec4 position; in uvec3 flags; flat out uvec3 bits; out vec3 at; uniform mat2x4 "
     "shape;"
     "uniform highp isampler2DArray levels; void main() { gl_Position = position; bits = flags >> "
     "uint(gl_VertexID & 3);"
     " at = vec3(texelFetch(levels, ivec3(0, 0, gl_InstanceID), 0).xy, 0.5) + (position * shape).xyx; }",
     "#version 300 es\nprecision highp float; precision highp int; flat in uvec3 bits; in vec3 at;"
     "layout(location = 0) out vec4 color; layout(location = 2) out ivec2 ids[2];"
     "uniform highp sampler3D volume; uniform highp sampler2DArrayShadow shadow; uniform uvec4 mask; uniform "
     "int mode;"
     "void main() { uvec3 b = (bits & mask.xyz) % max(mask.yzw, 1u); vec4 c = textureGrad(volume, at, "
     "dFdx(at), dFdy(at));"
     " switch (mode) { case 0: c += unpackHalf2x16(b.x).xyxy; break; case 1: c.x = texture(shadow, vec4(at, "
     "0.5)); default: c.y = "
     "float(textureSize(volume, mode).z); } color = mix(c, c.wzyx, greaterThan(c, vec4(0.5)));"
     " ids[0] = ivec2(b.xy); ids[1] = ivec2(int(b.z) / mode, floatBitsToInt(c.x)); }"},
    {"#version 300 es\nlayout(location = 0) in vec4 position; in ivec2 which; out vec4 v; out vec2 "
     "captured[3]; flat out int "
     "n;"
     "uniform Scene { mat4 mvp; layout(row_major) mat3x2 rows[2]; vec4 bones[8]; int count; }; uniform Other "
     "{ float f; } "
     "other[2];"
     "void main() { gl_Position = mvp * position; n = count; v = bones[which.x & 7] * other[1].f;"
     " for (int i = 0; i < 3; ++i) captured[i] = rows[i & 1] * position.xyz + other[0].f; }",
     "#version 300 es\nprecision highp float; in vec4 v; flat in int n; out vec4 c; struct S { vec3 a[2]; "
     "bool b; };"
     "uniform Other { float f; } other[2]; layout(std140) uniform Lights { S s[3]; vec4 last; } lights; "
     "uniform vec4 plain;"
     "void main() { c = v * plain + lights.last; for (int i = 0; i < n && i < 9; ++i) c.xyz += lights.s[i % "
     "3].a[n & 1];"
     " if (lights.s[1].b) c.w = other[1].f; c.y += lights.s[int(v.x) % 3].a[0].z; }"},
};

Bytes first_program(uint32_t n) {
    static const std::string_view kExtensions[] = {"GL_OES_standard_derivatives", "GL_EXT_draw_buffers",
                                                   "GL_EXT_frag_depth"};
    std::shared_ptr<const shaders::CompiledShader> stages[2];
    for (const bool fragment : {false, true}) {
        shaders::CompileOptions o;
        o.stage = fragment ? ir::Stage::Fragment : ir::Stage::Vertex;
        o.extensions = kExtensions;
        o.max_version = 300;
        stages[fragment] = shaders::compile(kPairs[n % std::size(kPairs)][fragment], o).shader;
    }
    const shaders::CompiledShader* both[] = {stages[0].get(), stages[1].get()};
    static const std::string kCaptures[] = {"captured", "gl_Position", "v"};
    shaders::LinkOptions options;
    if (stages[0] && stages[0]->version >= 300) options.capture = std::span(kCaptures).first(n / 4 % 4);
    const shaders::LinkResult linked = shaders::link(both, options);
    return linked.program ? shaders::serialize(*linked.program) : Bytes();
}

/// Magic, version, length and checksum as they should be; the rest is what is tried.
void mend_header(Bytes& b) {
    static const Bytes kGood = first_program(1);
    if (b.size() < kHeader_B || kGood.size() < kHeader_B) return;
    std::memcpy(b.data(), kGood.data(), 8);
    const uint64_t length = b.size() - kHeader_B, hash = XXH3_64bits(b.data() + kHeader_B, length);
    std::memcpy(b.data() + 8, &length, 8);
    std::memcpy(b.data() + 16, &hash, 8);
}

class Mutation {
  public:
    explicit Mutation(uint32_t seed) : random_(seed) {}
    Bytes of(const Bytes& given);

  private:
    uint32_t below(size_t n) { return n ? uint32_t(random_() % n) : 0; }
    bool one_in(uint32_t n) { return below(n) == 0; }
    uint32_t number(uint32_t was);
    template <class T>
    void change(T& v) {
        v = T(number(uint32_t(v)));
    }
    void bytes(Bytes& b);
    void tables(shaders::LinkedProgram& p);
    void type(shaders::GlslType& t);
    void uniform(shaders::UniformInfo& u);
    void member(shaders::UniformInfo& u);
    void block(shaders::UniformBlockInfo& b);
    void output(shaders::OutputInfo& o);
    void capture(shaders::LinkedProgram& p);
    void memory(ir::MemInfo& m);
    void code(shaders::LinkedProgram& p, unsigned stage);
    void instr(ir::Shader& s, ir::Instr& i);
    void payload(ir::Instr& i);

    std::mt19937 random_;
    unsigned changed_[2] = {};  // vertex, fragment: its code was
};

uint32_t Mutation::number(uint32_t was) {
    constexpr uint32_t kEdges[] = {
        0,     1,     2,        3,        4,          5,          7,          8,          15,
        16,    17,    31,       32,       63,         64,         255,        256,        1023,
        65535, 65536, 1u << 20, 1u << 22, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0xfffffffc};
    switch (below(4)) {
        case 0:
            return kEdges[below(std::size(kEdges))];
        case 1:
            return was + 1 + below(3);
        case 2:
            return was - 1 - below(3);
        default:
            return below(12);
    }
}

void Mutation::bytes(Bytes& b) {
    for (unsigned n = 1 + below(4); n && b.size() > kHeader_B; n--) {
        const size_t at = kHeader_B + below(b.size() - kHeader_B);
        switch (below(4)) {
            case 0:
                b[at] ^= uint8_t(1u << below(8));
                break;
            case 1:
                b[at] = uint8_t(random_());
                break;
            case 2:
                b.erase(b.begin() + ptrdiff_t(at));
                break;
            default:
                b.insert(b.begin() + ptrdiff_t(at), uint8_t(random_()));
        }
    }
}

void Mutation::type(shaders::GlslType& t) {
    switch (below(6)) {
        case 0:
            t.base = shaders::BaseType(below(6));
            break;
        case 1:
            t.columns = uint8_t(below(5));
            break;
        case 2:
            t.rows = uint8_t(below(5));
            break;
        case 3:
            t.dim = ir::TexDim(below(6));
            break;
        case 4:
            t.arrayed = !t.arrayed;
            break;
        default:
            t.shadow = !t.shadow;
    }
}

void Mutation::uniform(shaders::UniformInfo& u) {
    if (u.block >= 0 && one_in(2)) return member(u);
    switch (below(9)) {
        case 0:
            return type(u.type);
        case 1:
            return change(u.array_size);
        case 2:
            u.is_array = !u.is_array;
            return;
        case 3:
            return change(u.location);
        case 4:
        case 5:
            return change(u.offset_dw[one_in(4) ? below(6) : one_in(2) ? 0 : 4]);
        case 6:
            return change(u.sampler_slot[one_in(4) ? below(6) : one_in(2) ? 0 : 4]);
        case 7:
            return change(u.storage_dw);
        default:
            u.name = one_in(2) ? "gl_DepthRange.near" : "position";
    }
}

void Mutation::member(shaders::UniformInfo& u) {
    switch (below(5)) {
        case 0:
            return change(u.block);
        case 1:
            return change(u.block_offset_B);
        case 2:
            return change(u.array_stride_B);
        case 3:
            return change(u.matrix_stride_B);
        default:
            u.row_major = !u.row_major;
    }
}

void Mutation::block(shaders::UniformBlockInfo& b) {
    switch (below(6)) {
        case 0:
            return change(b.size_B);
        case 1:
            return change(b.array_left);
        case 2:
            return change(b.binding);
        case 3:
        case 4:
            return change(b.slot[one_in(4) ? below(6) : one_in(2) ? 0 : 4]);
        default:
            if (!b.members.empty()) change(b.members[below(b.members.size())]);
    }
}

void Mutation::capture(shaders::LinkedProgram& p) {
    auto& outputs = p.stream_output.outputs;
    switch (below(4)) {
        case 0:
            return change(p.stream_output.stride_dw[below(4)]);
        case 1:
            p.capture_separate = !p.capture_separate;
            return;
        case 2:
            if (!p.captures.empty()) change(p.captures[below(p.captures.size())].array_size);
            return;
        default:
            if (outputs.empty()) return;
            ir::StreamOutputLayout::Output& o = outputs[below(outputs.size())];
            switch (below(5)) {
                case 0:
                    return change(o.slot);
                case 1:
                    return change(o.component);
                case 2:
                    return change(o.count);
                case 3:
                    return change(o.buffer);
                default:
                    change(o.offset_dw);
            }
    }
}

void Mutation::output(shaders::OutputInfo& o) {
    switch (below(5)) {
        case 0:
            return type(o.type);
        case 1:
            return change(o.array_size);
        case 2:
            o.is_array = !o.is_array;
            return;
        case 3:
            return change(o.index);
        default:
            change(o.location);
    }
}

void Mutation::tables(shaders::LinkedProgram& p) {
    if (!p.blocks.empty() && one_in(4)) return block(p.blocks[below(p.blocks.size())]);
    if (!p.blocks.empty() && one_in(8)) return change(p.block_slots[one_in(2) ? 0 : 4]);
    if (!p.captures.empty() && one_in(4)) return capture(p);
    if (!p.outputs.empty() && one_in(6)) return output(p.outputs[below(p.outputs.size())]);
    switch (below(8)) {
        case 0:
        case 1:
        case 2:
            if (!p.uniforms.empty()) uniform(p.uniforms[below(p.uniforms.size())]);
            break;
        case 3:
            if (!p.attributes.empty()) {
                shaders::AttributeInfo& a = p.attributes[below(p.attributes.size())];
                if (one_in(3))
                    type(a.type);
                else if (one_in(2))
                    change(a.array_size);
                else
                    change(a.location);
            }
            break;
        case 4:
            change(one_in(2) ? p.storage_dw : p.varying_slots);
            break;
        case 5:
            change(p.uniform_dw[one_in(2) ? 0 : 4]);
            break;
        default: {
            auto& slots = p.samplers[one_in(2) ? 0 : 4];
            if (slots.empty()) break;
            shaders::SamplerSlot& s = slots[below(slots.size())];
            if (one_in(3))
                type(s.type);
            else
                change(one_in(2) ? s.uniform : s.element);
            if (one_in(8)) slots.push_back(s);
        }
    }
}

/// But for what says how many operands and results there are.
void Mutation::memory(ir::MemInfo& m) {
    switch (below(7)) {
        case 0:
        case 1:
            return change(m.offset_B);
        case 2:
            m.binding = int(number(uint32_t(m.binding)) & 0x7fffffff);
            return;
        case 3:
            return change(m.count);
        case 4:
            m.space = ir::Storage(below(9));
            return;
        case 5:
            m.qualifiers = uint8_t(below(32));
            return;
        default:
            m.element_B = uint8_t(below(5));
    }
}

void Mutation::payload(ir::Instr& i) {
    switch (i.op) {
        case ir::Op::LoadBuffer:
        case ir::Op::BufferSize:
            return memory(*i.u.mem);
        case ir::Op::Const:
            i.u.bits = one_in(2) ? number(uint32_t(i.u.bits)) : random_();
            if (i.result()->type == ir::Type::Bool) i.u.bits &= 1;
            break;
        case ir::Op::LoadInput:
        case ir::Op::StoreOutput:
        case ir::Op::LoadUniform:
        case ir::Op::LoadSysval:
        case ir::Op::LoadVar:
        case ir::Op::StoreVar:
            switch (below(5)) {
                case 0:
                case 1:
                    return change(i.u.io.slot);
                case 2:
                    i.u.io.component = one_in(3) ? number(i.u.io.component) : below(4);
                    return;
                case 3:
                    return change(i.u.io.count);
                default:
                    i.u.io.interp = ir::Interp(below(3));
            }
            break;
        case ir::Op::Tex:
            switch (below(8)) {
                case 0:
                    i.u.tex->op = ir::TexOp(below(10));
                    break;
                case 1:
                    i.u.tex->dim = ir::TexDim(below(6));
                    break;
                case 2:
                    i.u.tex->arrayed = !i.u.tex->arrayed;
                    break;
                case 3:
                    i.u.tex->offset[below(3)] = int8_t(random_());
                    break;
                case 4:
                    change(i.u.tex->count);
                    break;
                case 5:
                    i.u.tex->coord_count = uint8_t(below(5));
                    break;
                default:
                    i.u.tex->binding = int(number(uint32_t(i.u.tex->binding)) & 0x7fffffff);
            }
            break;
        default:
            break;
    }
}

/// Changes that leave the counts of operands and results as they are: the writer relies on those.
void Mutation::instr(ir::Shader& s, ir::Instr& i) {
    switch (below(6)) {
        case 0: {  // another operation of that shape
            const auto op = ir::Op(below(unsigned(ir::Op::Count_)));
            const ir::OpInfo &was = i.info(), &now = ir::op_info(op);
            const bool plain = was.sig != ir::Sig::Any && now.sig != ir::Sig::Any;
            const bool leaves = (i.op == ir::Op::Break || i.op == ir::Op::Continue) &&
                                (op == ir::Op::Break || op == ir::Op::Continue || op == ir::Op::Yield);
            if ((plain && was.operands == now.operands) || leaves) i.op = op;
            break;
        }
        case 1:  // another operand, or the same one twice
            if (i.operand_count) {
                ir::Value* v = i.operand(below(i.operand_count));
                ir::for_each(s.body, [&](ir::Instr* k) {
                    if (k->result_count && one_in(20)) v = k->result();
                });
                ir::set_operand(&i, below(i.operand_count), v);
            }
            break;
        case 2:
            if (i.result_count) i.result(below(i.result_count))->type = ir::Type(1 + below(6));
            break;
        case 3:
            if (i.var && !s.vars().empty())
                i.var = s.vars()[below(s.vars().size())];
            else
                i.flags = uint8_t(below(one_in(4) ? 256 : 4));
            break;
        default:
            payload(i);
    }
}

void Mutation::code(shaders::LinkedProgram& p, unsigned stage) {
    // Code is changed once: what was changed need no longer be what ir::clone wants.
    if (changed_[stage != 0]++) return;
    std::unique_ptr<ir::Shader> s = ir::clone(*p.stages[stage]);
    std::vector<ir::Instr*> all;
    ir::for_each(s->body, [&](ir::Instr* i) { all.push_back(i); });
    if (all.empty()) return;
    for (unsigned n = one_in(4) ? 1 + below(6) : 1; n; n--) {
        ir::Instr* const i = all[below(all.size())];
        if (one_in(12)) {  // once more, elsewhere
            ir::CloneMap map(&s->vars());
            ir::Instr* const at = all[below(all.size())];
            if (!i->info().terminator() && !at->info().terminator())
                ir::insert_after(at, ir::clone_instr(*s, i, map));
        } else if (!s->vars().empty() && one_in(20)) {
            change(s->vars()[below(s->vars().size())]->count);
        } else {
            instr(*s, *i);
        }
    }
    s->renumber();
    bool small = true;
    ir::for_each(s->body, [&](ir::Instr* i) {
        const bool bit = i->op == ir::Op::LoadInput || i->op == ir::Op::StoreOutput;
        small &= !bit || i->u.io.slot < 64;
    });
    if (small && !one_in(8)) {  // mostly the info is what it should be
        ir::gather_info(*s);
        if (one_in(4)) p.uniform_dw[stage] = s->info.uniform_dw;
    } else if (one_in(2)) {
        change(s->info.inputs_read), change(s->info.uniform_dw);
    }
    p.stages[stage] = shaders::LinkedStage(std::make_shared<ir::StoredShader>(std::move(s)));
}

Bytes Mutation::of(const Bytes& given) {
    const auto good = shaders::deserialize(given);
    if (!good || one_in(6)) {
        Bytes b = good || !one_in(3) ? given : first_program(below(32));
        bytes(b);
        mend_header(b);
        return b;
    }
    shaders::LinkedProgram p = *good;
    for (unsigned n = one_in(4) ? 1 + below(3) : 1; n; n--) {
        if (one_in(3))
            tables(p);
        else
            code(p, one_in(2) ? 0 : 4);
    }
    return shaders::serialize(p);
}

/// One context for all inputs: what an input leaves is deleted.
class Context {
  public:
    Context();
    ~Context();
    void draw(GLuint program);
    [[nodiscard]] bool good() const { return good_; }

  private:
    void uniforms(GLuint program);
    void blocks(GLuint program);
    void queries(GLuint program);
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface surface_ = EGL_NO_SURFACE;
    bool good_ = false;
};

Context::Context() {
    setenv("TERRAZZO_GLES_VERSION", "3.0", 0);
    display_ = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (!eglInitialize(display_, nullptr, nullptr)) return;
    const EGLint want[] = {
        EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_DEPTH_SIZE, 24,
        EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE},
                 size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;
    if (!eglChooseConfig(display_, want, &config, 1, &n) || !n) return;
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
    surface_ = eglCreatePbufferSurface(display_, config, size);
    good_ = eglMakeCurrent(display_, surface_, surface_, context_);
    const GLubyte texels[2 * 2 * 4] = {255, 0, 40, 1, 70, 80, 90, 255, 3, 200, 100, 0, 1, 2, 3, 128};
    GLuint textures[2];
    glGenTextures(2, textures);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenerateMipmap(GL_TEXTURE_2D);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_CUBE_MAP, textures[1]);
    for (GLenum face = 0; face < 6; ++face)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    // Uniform blocks: of some bindings a whole buffer, of others a part, of some nothing. Captures go to the second buffer.
    GLuint buffers[2];
    glGenBuffers(2, buffers);
    std::vector<GLfloat> numbers(512);
    for (size_t n = 0; n < numbers.size(); ++n)
        numbers[n] = float(n % 31) - 9.5f;
    for (const GLuint b : buffers) {
        glBindBuffer(GL_UNIFORM_BUFFER, b);
        glBufferData(GL_UNIFORM_BUFFER, GLsizeiptr(numbers.size() * 4), numbers.data(), GL_DYNAMIC_DRAW);
    }
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffers[0]);
    glBindBufferRange(GL_UNIFORM_BUFFER, 1, buffers[0], 1024, 40);
    glBindBufferBase(GL_UNIFORM_BUFFER, 3, buffers[0]);
    for (GLuint n = 0; n < 4; ++n)
        glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, n, buffers[1], GLintptr(n) * 512,
                          512 - 4 * GLsizeiptr(n));
}

Context::~Context() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_) eglDestroyContext(display_, context_);
    if (surface_) eglDestroySurface(display_, surface_);
    eglTerminate(display_);
    eglReleaseThread();
}

/// Each setter at each location: one of them fits, the others are errors.
void Context::uniforms(GLuint program) {
    GLint count = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    static const GLfloat f[16 * 8] = {0.5f, 1, -3, 1e30f, 0, 2, 1, 1, 0.1f, 0.2f};
    static const GLint n[4 * 8] = {3, 1, 100000, -1, 2, 7};
    for (GLint i = 0; i < count && i < 64; ++i) {
        char name[200];
        GLint size = 0;
        GLenum type = 0;
        glGetActiveUniform(program, GLuint(i), sizeof name, nullptr, &size, &type, name);
        const GLint at = glGetUniformLocation(program, name);
        for (GLint e = 0; e < 9; e += 4) {
            glUniform1fv(at + e, 8, f), glUniform2fv(at + e, 8, f), glUniform3fv(at + e, 8, f),
                glUniform4fv(at + e, 8, f);
            glUniform1fv(at + e, 1, f), glUniform2fv(at + e, 1, f), glUniform3fv(at + e, 1, f),
                glUniform4fv(at + e, 1, f);
            glUniform2iv(at + e, 1, n), glUniform3iv(at + e, 1, n), glUniform4iv(at + e, 1, n);
            glUniformMatrix2fv(at + e, 2, GL_FALSE, f), glUniformMatrix3fv(at + e, 2, GL_FALSE, f);
            glUniformMatrix4fv(at + e, 2, GL_FALSE, f), glUniformMatrix4fv(at + e, 1, GL_FALSE, f);
            glUniform1i(at + e, type == GL_SAMPLER_CUBE ? 1 : type == GL_SAMPLER_2D ? 0 : 2);
            glUniform1iv(at + e, 8, n);
            GLfloat got_f[16];
            GLint got_i[16];
            glGetUniformfv(program, at + e, got_f), glGetUniformiv(program, at + e, got_i);
            if (type == GL_SAMPLER_CUBE || type == GL_SAMPLER_2D)
                for (GLint k = 0; k < 8; k++)
                    glUniform1i(at + k, type == GL_SAMPLER_CUBE);
        }
    }
}

/// Blocks at bindings of all kinds, and what can be asked of them.
void Context::blocks(GLuint program) {
    GLint count = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &count);
    for (GLuint i = 0; i < GLuint(count) && i < 32; ++i) {
        glUniformBlockBinding(program, i, i % 4);
        GLint members[256] = {}, n = 0;
        char name[200];
        glGetActiveUniformBlockName(program, i, sizeof name, nullptr, name);
        glGetActiveUniformBlockiv(program, i, GL_UNIFORM_BLOCK_ACTIVE_UNIFORMS, &n);
        if (n <= 256) glGetActiveUniformBlockiv(program, i, GL_UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES, members);
    }
    GLint uniforms = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &uniforms);
    for (GLuint i = 0; i < GLuint(uniforms) && i < 64; ++i)
        for (const GLenum what : {GL_UNIFORM_OFFSET, GL_UNIFORM_BLOCK_INDEX, GL_UNIFORM_MATRIX_STRIDE}) {
            GLint value;
            glGetActiveUniformsiv(program, 1, &i, what, &value);
        }
    GLint captured = 0;
    glGetProgramiv(program, GL_TRANSFORM_FEEDBACK_VARYINGS, &captured);
    for (GLuint i = 0; i < GLuint(captured) && i < 64; ++i) {
        char name[200];
        GLsizei size;
        GLenum type;
        glGetTransformFeedbackVarying(program, i, sizeof name, nullptr, &size, &type, name);
    }
}

void Context::queries(GLuint program) {
    GLint count = 0, length = 0;
    glGetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &count);
    for (GLint i = 0; i < count && i < 64; ++i) {
        char name[200];
        GLint size = 0;
        GLenum type = 0;
        glGetActiveAttrib(program, GLuint(i), sizeof name, nullptr, &size, &type, name);
        (void)glGetAttribLocation(program, name);
    }
    glValidateProgram(program);
    glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH_OES, &length);
    std::vector<uint8_t> bytes(size_t(length) + 1);
    GLenum format = 0;
    static const auto get = PFNGLGETPROGRAMBINARYOESPROC(eglGetProcAddress("glGetProgramBinaryOES"));
    get(program, length, nullptr, &format, bytes.data());
}

void Context::draw(GLuint program) {
    static const GLfloat kVertices[3 * 4] = {-1, -1, 0.5f, 1, 3, -1, -0.5f, 1, -0.2f, 1.5f, 0, 1};
    glUseProgram(program);
    uniforms(program);
    blocks(program);
    for (GLuint i = 0; i < 16; ++i) {
        glVertexAttrib4f(i, 0.5f, -1, 2, 1);
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 0, kVertices);
        i % 3 ? glDisableVertexAttribArray(i) : glEnableVertexAttribArray(i);
    }
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDrawArrays(GL_POINTS, 0, 3);
    glBeginTransformFeedback(GL_POINTS);  // an error where nothing is captured
    glDrawArrays(GL_POINTS, 0, 3);
    glDrawArrays(GL_POINTS, 0, 2);
    glEndTransformFeedback();
    GLubyte pixels[4 * 64];
    glReadPixels(0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    queries(program);
    glUseProgram(0);
    while (glGetError())
        ;
}

Context& context() {
    constexpr unsigned kRound = 2000;  // inputs a context
    static unsigned left = 0;
    static std::unique_ptr<Context> c;
    if (!left--) {
        c.reset();
        c = std::make_unique<Context>();
        left = kRound;
    }
    return *c;
}

}  // namespace

uint64_t fuzz_accepted = 0;

int fuzz_one(const uint8_t* data, size_t size) {
    Context& c = context();
    if (!c.good()) return 0;
    static const auto set = PFNGLPROGRAMBINARYOESPROC(eglGetProcAddress("glProgramBinaryOES"));
    Bytes b(data, data + size);
    mend_header(b);
    const GLuint program = glCreateProgram();
    set(program, kFormat, b.data(), GLint(b.size()));
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked) c.draw(program), ++fuzz_accepted;
    glDeleteProgram(program);
    while (glGetError())
        ;
    return 0;
}

size_t fuzz_mutate(uint8_t* data, size_t size, size_t max_size, uint32_t seed) {
    Bytes b(data, data + size);
    if (b.size() < kHeader_B) b = first_program(seed % 32);
    b = Mutation(seed).of(b);
    if (b.empty() || b.size() > max_size) return size;
    std::memcpy(data, b.data(), b.size());
    return b.size();
}
