// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Program binaries (OES_get_program_binary, OpenGL ES 3.0 section 2.11.5): shaders::serialize. A separable
// program's binary has its shaders' texts as well, because pipelines link them again with those of other
// programs (pipeline_program.cpp):
//   "TZSP", the size of the program, the program, the sources
// The texts are compiled when a pipeline needs them, with the same checks as any application's.
#include <algorithm>
#include <cstring>

#include "shaders/ir/binary_bytes.h"
#include "state_tracker/programs/build.h"

namespace terrazzo::st {
namespace {

constexpr char kSeparable[] = {'T', 'Z', 'S', 'P'};

void write(ir::BinaryWriter& w, std::string_view s) {
    w.number(s.size());
    w.bytes(s.data(), s.size());
}
std::string read(ir::BinaryReader& r) {
    const size_t n = r.count();
    const uint8_t* const at = r.bytes(n);
    return at ? std::string(reinterpret_cast<const char*>(at), n) : std::string();
}

void write_sources(ir::BinaryWriter& w, const LinkSources& sources) {
    w.number(sources.stages.size());
    for (const LinkStage& s : sources.stages) {
        w.number(s.shader->type);
        write(w, s.source);
    }
    const LinkParameters& p = sources.parameters;
    w.number(p.attributes.size());
    for (const shaders::AttributeBinding& a : p.attributes)
        write(w, a.name), w.number(a.location);
    w.number(p.outputs.size());
    for (const shaders::OutputBinding& o : p.outputs)
        write(w, o.name), w.number(o.location), w.number(o.index);
    w.number(p.captures.size());
    for (const std::string& c : p.captures)
        write(w, c);
    w.number(p.capture_separate);
}

/// Null: the bytes are not valid sources.
std::shared_ptr<const LinkSources> read_sources(ir::BinaryReader& r) {
    auto out = std::make_shared<LinkSources>();
    for (size_t n = r.count(); n && r.ok(); --n) {
        const auto type = GLenum(r.number(UINT32_MAX));
        const auto known = [&](const ShaderStage& s) { return s.type == type; };
        if (std::none_of(std::begin(kShaderStages), std::end(kShaderStages), known)) return nullptr;
        LinkStage& s = out->stages.emplace_back();
        s.shader = pipe::Ref<Shader>::adopt(new Shader(0, type));
        s.source = read(r);
    }
    LinkParameters& p = out->parameters;
    p.separable = true;
    for (size_t n = r.count(); n && r.ok(); --n) {
        shaders::AttributeBinding& a = p.attributes.emplace_back();
        a.name = read(r);
        a.location = uint32_t(r.number(UINT32_MAX));
    }
    for (size_t n = r.count(); n && r.ok(); --n) {
        shaders::OutputBinding& o = p.outputs.emplace_back();
        o.name = read(r);
        o.location = uint32_t(r.number(UINT32_MAX));
        o.index = uint32_t(r.number(UINT32_MAX));
    }
    for (size_t n = r.count(); n && r.ok(); --n)
        p.captures.push_back(read(r));
    p.capture_separate = r.number(1);
    return r.ok() && r.at_end() ? out : nullptr;
}

struct Parts {
    std::span<const uint8_t> program;
    std::shared_ptr<const LinkSources> sources;
};

Parts split(std::span<const uint8_t> bytes) {
    if (bytes.size() < sizeof kSeparable || std::memcmp(bytes.data(), kSeparable, sizeof kSeparable))
        return {bytes, nullptr};
    ir::BinaryReader r(bytes.subspan(sizeof kSeparable));
    const size_t size = r.count();
    const uint8_t* const program = r.bytes(size);
    if (!program) return {};
    Parts out{{program, size}, read_sources(r)};
    if (!out.sources) out.program = {};  // invalid sources make the whole binary invalid
    return out;
}

}  // namespace

std::vector<uint8_t> program_binary(const Executable& e) {
    const std::vector<uint8_t> program = shaders::serialize(*e.linked);
    if (!e.sources) return program;
    std::vector<uint8_t> out(std::begin(kSeparable), std::end(kSeparable));
    ir::BinaryWriter w(out);
    w.number(program.size());
    w.bytes(program.data(), program.size());
    write_sources(w, *e.sources);
    return out;
}

void GetProgramBinary(Context& ctx, GLuint program, GLsizei bufSize, GLsizei* length, GLenum* binaryFormat,
                      void* binary) {
    const char* const command = "glGetProgramBinaryOES";
    std::lock_guard lock(ctx.share->mutex);
    Program* p = find_program(ctx, program, command);
    if (!p) return;
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    if (!p->link_status) return ctx.error(GL_INVALID_OPERATION, command, "program %u is not linked", program);
    std::vector<uint8_t> bytes = program_binary(*p->executable);
    if (bytes.size() > size_t(bufSize))
        return ctx.error(GL_INVALID_OPERATION, command, "the binary has %zu bytes, bufSize is %d",
                         bytes.size(), bufSize);
    if (binary) std::memcpy(binary, bytes.data(), bytes.size());
    if (length) *length = GLsizei(bytes.size());
    if (binaryFormat) *binaryFormat = kProgramBinaryFormat;
}

void ProgramBinary(Context& ctx, GLuint program, GLenum binaryFormat, const void* binary, GLint length) {
    const char* const command = "glProgramBinaryOES";
    std::unique_lock lock(ctx.share->mutex);
    pipe::Ref<Program> p(find_program(ctx, program, command));
    if (!p) return;
    if (binaryFormat != kProgramBinaryFormat)
        return ctx.error(GL_INVALID_ENUM, command, "0x%04x is no program binary format", binaryFormat);
    if (length < 0) return ctx.error(GL_INVALID_VALUE, command, "length (%d) is negative", length);
    if (is_captured(ctx, *p, command)) return;
    // The client may write to its memory meanwhile: the copy is what is checked and read.
    const auto* const given = static_cast<const uint8_t*>(binary);
    const std::vector<uint8_t> bytes(given, given + (given ? length : 0));
    lock.unlock();
    std::string log;
    pipe::Ref<Executable> e;
    const Parts parts = split(bytes);
    if (auto linked = shaders::deserialize(parts.program, shaders::Stages::AtOnce, ctx.limits.shader, &log)) {
        e = make_executable(ctx, std::move(linked));
        if (e) e->sources = parts.sources;
        if (!e) log = "ERROR: the device has no memory for the program, or cannot run it\n";
    } else {
        log = "ERROR: the program binary is refused: " + log + "\n";
    }
    lock.lock();
    if (e) e->separable = p->separable;
    finish_link(ctx, *p, std::move(e), std::move(log));
}

}  // namespace terrazzo::st
