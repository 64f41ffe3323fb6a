// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Linked programs as bytes: a header (magic, version of this format and of the IR's binary form, length, XXH3
// of the rest), then the lists and each stage's IR in its binary form. All integers are little-endian.
// Reading trusts nothing: lengths are checked when they are used, tables as soon as they are read (check.h).
// The IR is read and validated against them, at once or when it is needed.
#include <algorithm>
#include <array>
#include <optional>

#include <xxhash.h>

#include "shaders/compile.h"
#include "shaders/ir/binary_bytes.h"
#include "shaders/ir/stage_buffers.h"
#include "shaders/ir/stored.h"
#include "shaders/link/check.h"
#include "shaders/link/linker.h"

namespace terrazzo::shaders {

namespace {

constexpr uint32_t kMagic = 0x50425a54;              // "TZBP" in memory
constexpr uint32_t kVersion = ir::kBinaryForm + 11;  // 11: the version of this format, changed manually
constexpr size_t kHeader_B = 24;                     // magic, version, length, hash

class Writer {
  public:
    std::vector<uint8_t> bytes;
    void u8(uint8_t v) { bytes.push_back(v); }
    void u32(uint32_t v) {
        for (unsigned i = 0; i < 4; ++i)
            bytes.push_back(uint8_t(v >> (8 * i)));
    }
    void u64(uint64_t v) {
        u32(uint32_t(v));
        u32(uint32_t(v >> 32));
    }
    void i32(int32_t v) { u32(uint32_t(v)); }
    void string(std::string_view s) {
        u32(uint32_t(s.size()));
        bytes.insert(bytes.end(), s.begin(), s.end());
    }
    void block(std::span<const uint8_t> b) {
        u32(uint32_t(b.size()));
        bytes.insert(bytes.end(), b.begin(), b.end());
    }
    void type(const GlslType& t) {
        for (uint8_t v : {uint8_t(t.base), t.columns, t.rows, uint8_t(t.dim), uint8_t(t.arrayed),
                          uint8_t(t.shadow), uint8_t(t.external), uint8_t(t.sampled)})
            u8(v);
    }
};

class Reader {
  public:
    explicit Reader(std::span<const uint8_t> b) : b_(b) {}
    bool ok = true;
    uint8_t u8() {
        if (at_ >= b_.size()) return ok = false, uint8_t(0);
        return b_[at_++];
    }
    uint32_t u32() {
        if (b_.size() - at_ < 4) return ok = false, 0u;
        uint32_t v = 0;
        for (unsigned i = 0; i < 4; ++i)
            v |= uint32_t(b_[at_ + i]) << (8 * i);
        at_ += 4;
        return v;
    }
    uint64_t u64() {
        const uint64_t low = u32();
        return low | uint64_t(u32()) << 32;
    }
    int32_t i32() { return int32_t(u32()); }
    /// A length that fits into the remaining bytes; each item needs at least `item_B`.
    uint32_t count(size_t item_B) {
        const uint32_t n = u32();
        if (n > (b_.size() - at_) / item_B) return ok = false, 0u;
        return n;
    }
    std::string string() {
        const uint32_t n = count(1);
        std::string s(reinterpret_cast<const char*>(b_.data()) + at_, ok ? n : 0);
        at_ += s.size();
        return s;
    }
    std::vector<uint8_t> block() {
        const uint32_t n = ok ? count(1) : 0;
        const uint8_t* const p = b_.data() + at_;
        at_ += n;
        return {p, p + n};
    }
    uint8_t below(unsigned limit) {
        const uint8_t v = u8();
        if (v >= limit) ok = false;
        return ok ? v : uint8_t(0);
    }
    GlslType type() {
        GlslType t;
        t.base = BaseType(below(unsigned(BaseType::AtomicCounter) + 1));
        t.columns = below(5);
        t.rows = below(5);
        t.dim = ir::TexDim(below(unsigned(ir::TexDim::D2MS) + 1));
        t.arrayed = below(2);
        t.shadow = below(2);
        t.external = below(2);
        t.sampled = BaseType(below(unsigned(BaseType::Bool) + 1));
        return t;
    }
    [[nodiscard]] bool at_end() const { return at_ == b_.size(); }

  private:
    std::span<const uint8_t> b_;
    size_t at_ = 0;
};

void write_uniform(Writer& w, const UniformInfo& u) {
    w.string(u.name);
    w.type(u.type);
    w.u32(u.array_size);
    w.u8(u.is_array);
    w.u8(uint8_t(u.precision));
    w.i32(u.location);
    for (int32_t v : u.offset_dw)
        w.i32(v);
    for (int32_t v : u.sampler_slot)
        w.i32(v);
    w.u32(u.storage_dw);
    w.i32(u.block);
    for (uint32_t v : {u.block_offset_B, u.array_stride_B, u.matrix_stride_B})
        w.u32(v);
    w.u8(u.row_major);
    w.i32(u.binding);
    w.i32(u.atomic_buffer);
    for (uint32_t v : {u.top_array_size, u.top_array_stride_B, u.stage_mask})
        w.u32(v);
}

void write_block(Writer& w, const UniformBlockInfo& b) {
    w.string(b.name);
    w.u32(b.size_B);
    w.i32(b.binding);
    w.u32(b.array_left);
    for (int32_t v : b.slot)
        w.i32(v);
    w.u32(uint32_t(b.members.size()));
    for (uint32_t m : b.members)
        w.u32(m);
}

UniformBlockInfo read_block(Reader& r) {
    UniformBlockInfo b;
    b.name = r.string();
    b.size_B = r.u32();
    b.binding = r.i32();
    b.array_left = r.u32();
    for (int32_t& v : b.slot)
        v = r.i32();
    const uint32_t members = r.ok ? r.count(4) : 0;
    b.members.reserve(members);
    for (uint32_t n = 0; n < members; ++n)
        b.members.push_back(r.u32());
    return b;
}

UniformInfo read_uniform(Reader& r) {
    UniformInfo u;
    u.name = r.string();
    u.type = r.type();
    u.array_size = r.u32();
    u.is_array = r.below(2);
    u.precision = ir::Precision(r.below(4));
    u.location = r.i32();
    for (int32_t& v : u.offset_dw)
        v = r.i32();
    for (int32_t& v : u.sampler_slot)
        v = r.i32();
    u.storage_dw = r.u32();
    u.block = r.i32();
    for (uint32_t* v : {&u.block_offset_B, &u.array_stride_B, &u.matrix_stride_B})
        *v = r.u32();
    u.row_major = r.below(2);
    u.binding = r.i32();
    u.atomic_buffer = r.i32();
    for (uint32_t* v : {&u.top_array_size, &u.top_array_stride_B, &u.stage_mask})
        *v = r.u32();
    return u;
}

void write_storage(Writer& w, const LinkedProgram& p) {
    w.u32(uint32_t(p.storage_blocks.size()));
    for (const UniformBlockInfo& b : p.storage_blocks)
        write_block(w, b);
    w.u32(uint32_t(p.buffer_variables.size()));
    for (const UniformInfo& u : p.buffer_variables)
        write_uniform(w, u);
    w.u32(uint32_t(p.atomic_buffers.size()));
    for (const AtomicBufferInfo& a : p.atomic_buffers) {
        w.i32(a.binding);
        w.u32(a.size_B);
        for (int32_t v : a.slot)
            w.i32(v);
        w.u32(uint32_t(a.members.size()));
        for (uint32_t m : a.members)
            w.u32(m);
    }
}

void read_storage(Reader& r, LinkedProgram& p) {
    for (uint32_t n = r.count(44); n && r.ok; --n)
        p.storage_blocks.push_back(read_block(r));
    for (uint32_t n = r.ok ? r.count(107) : 0; n && r.ok; --n)
        p.buffer_variables.push_back(read_uniform(r));
    for (uint32_t n = r.ok ? r.count(36) : 0; n && r.ok; --n) {
        AtomicBufferInfo& a = p.atomic_buffers.emplace_back();
        a.binding = r.i32();
        a.size_B = r.u32();
        for (int32_t& v : a.slot)
            v = r.i32();
        for (uint32_t m = r.count(4); m && r.ok; --m)
            a.members.push_back(r.u32());
    }
}

void write_output(Writer& w, const OutputInfo& o) {
    w.string(o.name);
    w.type(o.type);
    w.u32(o.array_size);
    w.u8(o.is_array);
    w.i32(o.location);
    w.u8(uint8_t(o.index));
    w.u8(o.is_per_patch);
}

OutputInfo read_output(Reader& r) {
    OutputInfo o;
    o.name = r.string();
    o.type = r.type();
    o.array_size = r.u32();
    o.is_array = r.below(2);
    o.location = r.i32();
    o.index = r.below(2);
    o.is_per_patch = r.below(2);
    return o;
}

void write_captures(Writer& w, const LinkedProgram& p) {
    w.u8(p.capture_separate);
    w.u32(uint32_t(p.captures.size()));
    for (const CaptureInfo& c : p.captures) {
        w.string(c.name);
        w.type(c.type);
        w.u32(c.array_size);
    }
    for (const uint32_t stride_dw : p.stream_output.stride_dw)
        w.u32(stride_dw);
    w.u32(uint32_t(p.stream_output.outputs.size()));
    for (const ir::StreamOutputLayout::Output& o : p.stream_output.outputs) {
        for (const uint8_t v : {o.slot, o.component, o.count, o.buffer})
            w.u8(v);
        w.u32(o.offset_dw);
    }
}

void read_captures(Reader& r, LinkedProgram& p) {
    p.capture_separate = r.below(2);
    for (uint32_t n = r.count(16); n && r.ok; --n) {
        CaptureInfo c;
        c.name = r.string();
        c.type = r.type();
        c.array_size = r.u32();
        p.captures.push_back(std::move(c));
    }
    for (uint32_t& stride_dw : p.stream_output.stride_dw)
        stride_dw = r.u32();
    for (uint32_t n = r.ok ? r.count(8) : 0; n && r.ok; --n) {
        ir::StreamOutputLayout::Output o;
        for (uint8_t* v : {&o.slot, &o.component, &o.count, &o.buffer})
            *v = r.u8();
        o.offset_dw = r.u32();
        p.stream_output.outputs.push_back(o);
    }
}

void write_stage(Writer& w, const LinkedProgram& p, unsigned s) {
    w.u32(p.uniform_dw[s]);
    w.u32(p.block_slots[s]);
    w.u32(uint32_t(p.samplers[s].size()));
    for (const SamplerSlot& slot : p.samplers[s]) {
        w.type(slot.type);
        w.u32(slot.uniform);
        w.u32(slot.element);
        w.u8(slot.plane);
        w.i32(slot.conversion_dw);
    }
    w.u32(p.storage_slots[s]);
    w.u32(uint32_t(p.images[s].size()));
    for (const ImageSlot& slot : p.images[s]) {
        w.type(slot.type);
        w.u32(slot.uniform);
        w.u32(slot.element);
        w.u8(uint8_t(slot.format));
        w.u8(slot.qualifiers);
    }
    const ir::Binary& binary = p.stages[s].stored()->binary();
    for (const uint8_t b : p.stages[s].stored()->hash())
        w.u8(b);
    w.block(binary.content);
    w.block(binary.remarks);
}

struct StoredStage {
    ir::ContentHash hash;
    ir::Binary binary;
};

/// Reads a stage without decoding it.
StoredStage read_stage(Reader& r, LinkedProgram& p, unsigned s) {
    p.uniform_dw[s] = r.u32();
    p.block_slots[s] = r.u32();
    const uint32_t samplers = r.count(21);
    p.samplers[s].reserve(samplers);
    for (uint32_t i = 0; i < samplers; ++i) {
        SamplerSlot slot;
        slot.type = r.type();
        slot.uniform = r.u32();
        slot.element = r.u32();
        slot.plane = r.u8();
        slot.conversion_dw = r.i32();
        p.samplers[s].push_back(slot);
    }
    p.storage_slots[s] = r.u32();
    for (uint32_t n = r.ok ? r.count(18) : 0; n && r.ok; --n) {
        ImageSlot& slot = p.images[s].emplace_back();
        slot.type = r.type();
        slot.uniform = r.u32();
        slot.element = r.u32();
        slot.format = ir::ImageFormat(r.below(unsigned(ir::ImageFormat::R32ui) + 1));
        slot.qualifiers = r.below(ir::mem_flag::kAll + 1);
    }
    StoredStage stage;
    for (uint8_t& b : stage.hash)
        b = r.u8();
    stage.binary.content = r.block();
    stage.binary.remarks = r.block();
    return stage;
}

using Binaries = std::array<std::optional<StoredStage>, ir::kStageCount>;

void read_program(Reader& r, LinkedProgram& p, Binaries* stages) {
    const uint32_t uniforms = r.count(107);
    p.uniforms.reserve(uniforms);
    for (uint32_t i = 0; i < uniforms; ++i)
        p.uniforms.push_back(read_uniform(r));
    const uint32_t attributes = r.count(21);
    for (uint32_t i = 0; i < attributes; ++i) {
        AttributeInfo a;
        a.name = r.string();
        a.type = r.type();
        a.array_size = r.u32();
        a.location = r.i32();
        a.is_per_patch = r.below(2);
        p.attributes.push_back(a);
    }
    const uint32_t outputs = r.count(27);
    for (uint32_t i = 0; i < outputs; ++i)
        p.outputs.push_back(read_output(r));
    p.storage_dw = r.u32();
    p.varying_slots = r.u32();
    p.clip_distances = r.u8();
    p.cull_distances = r.u8();
    p.distance_slots = r.u8();
    p.views = r.u8();
    p.window_origin_dw = r.i32();
    const uint32_t blocks = r.count(44);
    p.blocks.reserve(blocks);
    for (uint32_t i = 0; i < blocks && r.ok; ++i)
        p.blocks.push_back(read_block(r));
    if (r.ok) read_storage(r, p);
    if (r.ok) read_captures(r, p);
    for (unsigned s = 0; s < ir::kStageCount && r.ok; ++s)
        if (r.below(2)) (*stages)[s] = read_stage(r, p, s);
}

/// Returns empty or the error in the stage. Its header is always checked at once, because drivers with cached
/// code use only that. `captured`: this stage's outputs are captured.
std::string add_stage(LinkedProgram& p, ir::Stage stage, StoredStage read, Stages when, bool captured) {
    const auto s = unsigned(stage);
    const ir::StageInterface reach = interface_of(p, stage);
    // The hash in the cache is trusted, as its code is. A hash in an untrusted binary could select another
    // shader's code.
    const ir::ContentHash* const known = when == Stages::WhenNeeded ? &read.hash : nullptr;
    const auto stored = ir::StoredShader::of(std::move(read.binary), reach, known);
    if (!stored || stored->stage() != stage) return "the code is of another stage";
    const ir::ShaderInfo& info = stored->info();
    if (info.uniform_dw != p.uniform_dw[s] || info.sampler_count != p.samplers[s].size())
        return "the code has other uniforms than the program";
    const bool kernel = ir::is_kernel(stage) && stage != ir::Stage::Compute;
    const uint32_t own_buffers = kernel ? ir::stage_buffer::kAll : 0;
    if (uint64_t(info.uniform_blocks_read) >> p.block_slots[s] ||
        uint64_t((info.buffers_read | info.buffers_written) & ~own_buffers) >> p.storage_slots[s] ||
        uint64_t(info.images_read | info.images_written) >> p.images[s].size())
        return "the code has other blocks than the program";
    if ((info.inputs_read & ~reach.inputs) || (info.outputs_written & ~reach.outputs))
        return "the code has other inputs and outputs than the program";
    const uint64_t written = kernel ? info.records.slots_out : info.outputs_written;
    for (const ir::StreamOutputLayout::Output& o : p.stream_output.outputs)
        if (captured && !(written >> o.slot & 1)) return "a captured output is never written";
    std::string why;
    if (when == Stages::AtOnce && !stored->get(&why)) return why;
    p.stages[s] = LinkedStage(stored);
    return {};
}

/// Between tessellation stages, whose records are the same memory.
std::string check_records(const LinkedProgram& p) {
    const LinkedStage &control = p.stages[unsigned(ir::Stage::TessControl)],
                      &evaluation = p.stages[unsigned(ir::Stage::TessEval)];
    if (!control || !evaluation) return {};
    const ir::StageRecords &c = control.stored()->info().records, &e = evaluation.stored()->info().records;
    const bool same =
        c.vertices_out == e.vertices_in && c.slots_out == e.slots_in && c.patch_rows == e.patch_rows;
    return same ? "" : "the tessellation stages have different records";
}

std::string add_stages(LinkedProgram& p, Binaries& stages, const Limits& limits, Stages when) {
    uint32_t present = 0;
    for (unsigned s = 0; s < ir::kStageCount; ++s)
        present |= uint32_t(bool(stages[s])) << s;
    if (std::string rule = check_tables(p, present, limits); !rule.empty()) return rule;
    // A single stage belongs to a separable program.
    const bool has_graphics = std::any_of(stages.begin(), stages.begin() + unsigned(ir::Stage::Compute),
                                          [](const auto& s) { return s.has_value(); });
    const ir::Stage last = stages[unsigned(ir::Stage::Geometry)]   ? ir::Stage::Geometry
                           : stages[unsigned(ir::Stage::TessEval)] ? ir::Stage::TessEval
                                                                   : ir::Stage::Vertex;
    for (unsigned s = 0; s < ir::kStageCount; ++s) {
        const auto stage = ir::Stage(s);
        const bool compute = stage == ir::Stage::Compute;
        if (compute && stages[s].has_value() == has_graphics)
            return "a program has a compute stage, or others";
        if (!stages[s]) continue;
        const std::string rule = add_stage(p, stage, std::move(*stages[s]), when, stage == last);
        if (!rule.empty()) return std::string(stage_name(stage)) + " stage: " + rule;
    }
    return check_records(p);
}

}  // namespace

std::vector<uint8_t> serialize(const LinkedProgram& p) {
    Writer w;
    w.u32(uint32_t(p.uniforms.size()));
    for (const UniformInfo& u : p.uniforms)
        write_uniform(w, u);
    w.u32(uint32_t(p.attributes.size()));
    for (const AttributeInfo& a : p.attributes) {
        w.string(a.name);
        w.type(a.type);
        w.u32(a.array_size);
        w.i32(a.location);
        w.u8(a.is_per_patch);
    }
    w.u32(uint32_t(p.outputs.size()));
    for (const OutputInfo& o : p.outputs)
        write_output(w, o);
    w.u32(p.storage_dw);
    w.u32(p.varying_slots);
    w.u8(p.clip_distances);
    w.u8(p.cull_distances);
    w.u8(p.distance_slots);
    w.u8(uint8_t(p.views));
    w.i32(p.window_origin_dw);
    w.u32(uint32_t(p.blocks.size()));
    for (const UniformBlockInfo& b : p.blocks)
        write_block(w, b);
    write_storage(w, p);
    write_captures(w, p);
    for (unsigned s = 0; s < ir::kStageCount; ++s) {
        w.u8(bool(p.stages[s]));
        if (p.stages[s]) write_stage(w, p, s);
    }
    Writer out;
    out.u32(kMagic);
    out.u32(kVersion);
    out.u64(w.bytes.size());
    out.u64(XXH3_64bits(w.bytes.data(), w.bytes.size()));
    out.bytes.insert(out.bytes.end(), w.bytes.begin(), w.bytes.end());
    return std::move(out.bytes);
}

std::shared_ptr<const LinkedProgram> deserialize(std::span<const uint8_t> bytes, Stages when,
                                                 const Limits& limits, std::string* why) {
    const auto fail = [&](std::string rule) {
        if (why) *why = std::move(rule);
        return nullptr;
    };
    Reader header(bytes);
    if (bytes.size() < kHeader_B || header.u32() != kMagic) return fail("it is no program binary");
    if (header.u32() != kVersion) return fail("it is of another version of the compiler");
    const std::span<const uint8_t> rest = bytes.subspan(kHeader_B);
    if (header.u64() != rest.size() || header.u64() != XXH3_64bits(rest.data(), rest.size()))
        return fail("it is damaged");
    auto p = std::make_shared<LinkedProgram>();
    Reader r(rest);
    Binaries stages;
    read_program(r, *p, &stages);
    if (!r.ok || !r.at_end()) return fail("it does not hold what it says");
    if (std::string rule = add_stages(*p, stages, limits, when); !rule.empty()) return fail(std::move(rule));
    return p;
}

}  // namespace terrazzo::shaders
