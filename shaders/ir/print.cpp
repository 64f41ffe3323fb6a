// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// See print.h for the form.
#include "shaders/ir/print.h"

#include <charconv>
#include <cmath>

#include "shaders/ir/half.h"
#include "shaders/ir/names.h"

namespace terrazzo::ir {

namespace {

class Printer {
  public:
    std::string out;
    void shader(const Shader& s);
    void instr(const Instr& i, int indent);

  private:
    template <typename T>
    void number(T v, int base = 10) {
        char buf[72];
        const auto end = std::to_chars(buf, buf + sizeof buf, v, base).ptr;
        out.append(buf, end);
    }
    void hex(uint64_t v) { out += "0x", number(v, 16); }
    void field(std::string_view name, uint64_t v) { out += ' ', out += name, out += '=', number(v); }
    void word(std::string_view w) { out += ' ', out += w; }
    void value(const Value* v) { out += '%', number(v->id); }
    void typed(const Value* v) { value(v), out += ": ", out += name_of(v->type); }
    void values(const Instr& i, unsigned first);
    void parenthesised(const Instr& i);
    void quoted(std::string_view s);
    void floating(float f, uint64_t bits);
    void constant(const Instr& i);
    void var_ref(const Instr& i, unsigned index_operand);
    void slot(const IoInfo& io);
    void interpolation(Interp a, InterpAt b);
    void tex(const Instr& i);
    void mem(const Instr& i);
    void bit_words(uint32_t bits, std::span<const std::string_view> names);
    void payload(const Instr& i);
    void region(const Region& r, int indent);
    void var(const Var& v);
    void info(const ShaderInfo& i);
    void indentation(int n) { out.append(size_t(n) * 2, ' '); }
};

void Printer::values(const Instr& i, unsigned first) {
    for (unsigned n = first; n < i.operand_count; n++) {
        out += n == first ? " " : ", ";
        value(i.operand(n));
    }
}

void Printer::parenthesised(const Instr& i) {
    out += " (";
    for (unsigned n = 0; n < i.operand_count; n++) {
        if (n) out += ", ";
        value(i.operand(n));
    }
    out += ')';
}

void Printer::quoted(std::string_view s) {
    static constexpr char kHex[] = "0123456789abcdef";
    out += '"';
    for (unsigned char c : s) {
        if (c == '"' || c == '\\' || c < 32 || c > 126) {
            out += "\\x";
            out += kHex[c >> 4];
            out += kHex[c & 15];
        } else {
            out += char(c);
        }
    }
    out += '"';
}

void Printer::floating(float f, uint64_t bits) {
    if (!std::isfinite(f)) return hex(bits);
    char buf[64];
    const auto end = std::to_chars(buf, buf + sizeof buf, f).ptr;
    const std::string_view s(buf, size_t(end - buf));
    out += s;
    if (s.find_first_of(".e") == s.npos) out += ".0";
}

void Printer::constant(const Instr& i) {
    const uint64_t bits = i.u.bits;
    out += ' ';
    switch (i.result()->type) {
        case Type::Bool:
            out += bits ? "true" : "false";
            break;
        case Type::I16:
            number(int16_t(bits));
            break;
        case Type::I32:
            number(int32_t(bits));
            break;
        case Type::I64:
            number(int64_t(bits));
            break;
        case Type::F16:
            floating(half_to_float(uint16_t(bits)), bits);
            break;
        case Type::F32:
            floating(std::bit_cast<float>(uint32_t(bits)), bits);
            break;
        case Type::Void:
            hex(bits);
            break;
    }
}

void Printer::var_ref(const Instr& i, unsigned index_operand) {
    out += " v", number(i.var->id), out += '[', number(i.u.io.component);
    if (i.operand_count > index_operand) out += " + ", value(i.operand(index_operand));
    out += ']';
}

void Printer::slot(const IoInfo& io) {
    out += ' ', number(io.slot), out += '.';
    if (io.component < 4)
        out += "xyzw"[io.component];
    else
        number(io.component);
}

void Printer::interpolation(Interp a, InterpAt b) {
    if (a != Interp::Smooth) word(name_of(a));
    if (b != InterpAt::Center) word(name_of(b));
}

void Printer::tex(const Instr& i) {
    const TexInfo& t = *i.u.tex;
    word(name_of(t.op));
    word(name_of(t.dim));
    if (t.arrayed) word("array");
    if (t.shadow) word("shadow");
    if (t.indexed) word("indexed");
    if (t.offset_operands) word("offsets");
    field("coords", t.coord_count);
    if (t.gather_component) field("gather", t.gather_component);
    if (t.result != Type::F32) out += " result=", out += name_of(t.result);
    if (t.offset[0] || t.offset[1] || t.offset[2]) {
        out += " offset=", number(int(t.offset[0])), out += ',', number(int(t.offset[1])), out += ',',
            number(int(t.offset[2]));
    }
    if (t.var) out += " var=v", number(t.var->id);
    if (t.binding >= 0) field("binding", uint64_t(t.binding));
    if (t.count != 1) field("slots", t.count);
    parenthesised(i);
}

void Printer::bit_words(uint32_t bits, std::span<const std::string_view> names) {
    for (size_t n = 0; n < names.size(); n++)
        if (bits >> n & 1) word(names[n]);
}

void Printer::mem(const Instr& i) {
    const MemInfo& m = *i.u.mem;
    if (i.op == Op::Barrier) {
        out += " execution=", out += name_of(m.execution), out += " memory=", out += name_of(m.memory);
        bit_words(m.memories, kMemSpaceNames);
    } else {
        if (m.op != MemOp::None) word(name_of(m.op));
        word(name_of(m.space));
    }
    if (m.space == Storage::Image) {
        word(name_of(m.dim));
        if (m.arrayed) word("array");
        if (m.format != ImageFormat::None) word(name_of(m.format));
    }
    bit_words(m.qualifiers, kMemFlagNames);
    if (m.indexed) word("indexed");
    if (m.var) out += " var=v", number(m.var->id);
    if (m.binding >= 0) field("binding", uint64_t(m.binding));
    if (m.count != 1) field("slots", m.count);
    if (m.words != 1) field("words", m.words);
    if (m.element_B != 4) field("element_B", m.element_B);
    if (m.offset_B) field("offset_B", m.offset_B);
    parenthesised(i);
}

void Printer::payload(const Instr& i) {
    switch (i.op) {
        case Op::Const:
            constant(i);
            break;
        case Op::LoadVar:
            var_ref(i, 0);
            break;
        case Op::StoreVar:
            var_ref(i, 1);
            out += ", ", value(i.operand(0));
            break;
        case Op::LoadInput:
            slot(i.u.io);
            interpolation(i.u.io.interp, i.u.io.interp_at);
            if (i.operand_count) out += " at", values(i, 0);
            break;
        case Op::LoadVarAt:
            var_ref(i, i.operand_count);
            word(name_of(i.u.io.interp_at));
            parenthesised(i);
            break;
        case Op::LoadInputAt:
            slot(i.u.io);
            interpolation(i.u.io.interp, InterpAt::Center);
            word(name_of(i.u.io.interp_at));
            parenthesised(i);
            break;
        case Op::StoreOutput:
            slot(i.u.io), out += ',', values(i, 0);
            break;
        case Op::LoadUniform:
            out += ' ', number(i.u.io.slot);
            if (i.operand_count) out += " + ", value(i.operand(0)), out += " of ", number(i.u.io.count);
            break;
        case Op::LoadSysval:
            word(name_of(Sysval(i.u.io.slot)));
            out += '.';
            if (i.u.io.component < 4)
                out += "xyzw"[i.u.io.component];
            else
                number(i.u.io.component);
            break;
        case Op::Tex:
            tex(i);
            break;
        case Op::LoadBuffer:
        case Op::StoreBuffer:
        case Op::AtomicBuffer:
        case Op::BufferSize:
        case Op::LoadImage:
        case Op::StoreImage:
        case Op::AtomicImage:
        case Op::ImageSize:
        case Op::Barrier:
            mem(i);
            break;
        case Op::Loop: {
            out += " (";
            const Region& r = *i.regions[0];
            for (unsigned n = 0; n < r.arg_count || n < i.operand_count; n++) {
                if (n) out += ", ";
                if (n < r.arg_count) typed(r.args[n]);
                if (n < i.operand_count) out += " = ", value(i.operand(n));
            }
            out += ')';
            break;
        }
        default:
            values(i, 0);
            break;
    }
}

void Printer::instr(const Instr& i, int indent) {
    indentation(indent);
    for (unsigned n = 0; n < i.result_count; n++) {
        if (n) out += ", ";
        typed(i.result(n));
    }
    if (i.result_count) out += " = ";
    out += i.info().text;
    if (i.flags & instr_flag::kExact) out += ".exact";
    if (i.flags & instr_flag::kMediump) out += ".mediump";
    if (i.flags & instr_flag::kRounded) out += ".rounded";
    payload(i);
    if (i.line) out += " !", number(i.line);
    for (unsigned n = 0; n < i.region_count; n++) {
        if (n && i.regions[n]->empty()) break;
        out += n ? " else {\n" : " {\n";
        region(*i.regions[n], indent + 1);
        indentation(indent);
        out += '}';
    }
}

void Printer::region(const Region& r, int indent) {
    for (const Instr* i = r.first; i; i = i->next) {
        instr(*i, indent);
        out += '\n';
    }
}

void Printer::var(const Var& v) {
    out += "  var v", number(v.id), out += ' ';
    quoted(v.name);
    out += ' ', out += name_of(v.type), out += '[', number(v.count), out += ']';
    word(name_of(v.storage));
    if (v.precision != Precision::None) word(name_of(v.precision));
    interpolation(v.interp, v.interp_at);
    if (v.invariant) word("invariant");
    if (v.location != -1) out += " location=", number(v.location);
    if (v.binding != -1) out += " binding=", number(v.binding);
    if (v.storage == Storage::Sampler || v.storage == Storage::Image || v.dim != TexDim::D2)
        word(name_of(v.dim));
    if (v.arrayed) word("array");
    if (v.shadow) word("shadow");
    out += '\n';
}

void Printer::info(const ShaderInfo& i) {
    std::string before = std::move(out);
    out.clear();
    if (i.inputs_read) out += " inputs_read=", hex(i.inputs_read);
    if (i.outputs_written) out += " outputs_written=", hex(i.outputs_written);
    if (i.sampler_count) field("sampler_count", i.sampler_count);
    if (i.uniform_dw) field("uniform_dw", i.uniform_dw);
    if (i.uses_discard) word("uses_discard");
    if (i.uses_derivatives) word("uses_derivatives");
    if (i.uses_front_facing) word("uses_front_facing");
    if (i.uses_point_coord) word("uses_point_coord");
    if (i.uses_frag_coord) word("uses_frag_coord");
    if (i.reads_color) word("reads_color");
    if (i.writes_depth) word("writes_depth");
    if (i.writes_memory) word("writes_memory");
    if (i.early_fragment_tests) word("early_fragment_tests");
    if (i.uses_barriers) word("uses_barriers");
    if (i.blend_equations) field("blend_equations", i.blend_equations);
    if (i.uniform_blocks_read) out += " uniform_blocks_read=", hex(i.uniform_blocks_read);
    if (i.buffers_read) out += " buffers_read=", hex(i.buffers_read);
    if (i.buffers_written) out += " buffers_written=", hex(i.buffers_written);
    if (i.images_read) out += " images_read=", hex(i.images_read);
    if (i.images_written) out += " images_written=", hex(i.images_written);
    if (i.shared_B) field("shared_B", i.shared_B);
    const uint32_t* w = i.workgroup_size;
    if (w[0] != 1 || w[1] != 1 || w[2] != 1) {
        out += " workgroup_size=", number(w[0]), out += ',', number(w[1]), out += ',', number(w[2]);
    }
    if (!out.empty()) before += "  info" + out + '\n';
    out = std::move(before);
}

void Printer::shader(const Shader& s) {
    out += name_of(s.stage);
    out += " {\n";
    info(s.info);
    for (const Var* v : s.vars())
        var(*v);
    region(*s.body, 1);
    out += "}\n";
}

}  // namespace

std::string print(const Shader& s) {
    Printer p;
    p.shader(s);
    return std::move(p.out);
}

std::string print(const Instr& i) {
    Printer p;
    p.instr(i, 0);
    return std::move(p.out);
}

}  // namespace terrazzo::ir
