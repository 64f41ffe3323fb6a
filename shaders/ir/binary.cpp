// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Content: stage, info, variables, the body. A region is its instructions, then Op::Count_ as an end mark. An
// instruction: operation, flags, numbers of results and of operands (if they vary), operands, types of
// results, payload, regions. A loop's region begins with the types of its arguments.
#include "shaders/ir/binary.h"

#include <cassert>
#include <cstring>

#include "shaders/ir/binary_bytes.h"
#include "shaders/ir/limits.h"

namespace terrazzo::ir {

namespace {

class Writer {
  public:
    explicit Writer(const Shader& s)
        : shader_(s), w_(out_.content), r_(out_.remarks), numbers_(s.value_count()) {
        out_.content.reserve(1024);
        out_.remarks.reserve(512);
    }
    Binary run() {
        w_.number(uint64_t(shader_.stage));
        visit_info(w_, shader_.info);
        w_.number(shader_.vars().size());
        for (const Var* v : shader_.vars()) {
            visit_var(w_, *v);
            r_.number(v->name.size());
            r_.bytes(v->name.data(), v->name.size());
        }
        region(*shader_.body);
        return std::move(out_);
    }

  private:
    void define(const Value* v) {
        numbers_[v->id] = count_++;
        w_.number(uint64_t(v->type));
    }
    void region(const Region& r) {
        for (const Instr* i = r.first; i; i = i->next)
            instr(*i);
        w_.number(uint64_t(Op::Count_));
    }
    void instr(const Instr& i);
    void payload(const Instr& i);

    const Shader& shader_;
    Binary out_;
    BinaryWriter w_, r_;
    std::vector<uint32_t> numbers_;  // by id
    uint32_t count_ = 0, line_ = 0;
};

void Writer::payload(const Instr& i) {
    switch (payload_of(i.op)) {
        case Payload::None:
            break;
        case Payload::Bits:
            w_.bytes(&i.u.bits, bit_size(i.result()->type) == 64 ? 8 : 4);
            break;
        case Payload::VarIo:
            w_.number(i.var->id);
            [[fallthrough]];
        case Payload::Io:
            visit_io(w_, i.u.io);
            break;
        case Payload::Tex:
            w_.number(i.u.tex->var ? i.u.tex->var->id + 1 : 0);
            visit_tex(w_, *i.u.tex);
            break;
        case Payload::Mem:
            w_.number(i.u.mem->var ? i.u.mem->var->id + 1 : 0);
            visit_mem(w_, *i.u.mem);
            break;
    }
}

void Writer::instr(const Instr& i) {
    const OpInfo& info = i.info();
    w_.number(uint64_t(i.op));
    w_.number(i.flags);
    r_.field(int64_t(i.line) - int64_t(line_));
    line_ = i.line;
    const int results = implied_results(info, i.op);
    assert((results < 0 || results == i.result_count) && "an operation has the results that it always has");
    assert((info.operands < 0 || info.operands == i.operand_count) && "... and the operands");
    if (results < 0) w_.number(i.result_count);
    if (info.operands < 0) w_.number(i.operand_count);
    // Operands before results: distances count from the last value before this instruction.
    for (unsigned n = 0; n < i.operand_count; n++)
        w_.number(count_ - 1 - numbers_[i.operand(n)->id]);
    for (unsigned n = 0; n < i.result_count; n++)
        define(i.result(n));
    payload(i);
    if (i.op == Op::Loop) w_.number(i.regions[0]->arg_count);
    for (unsigned n = 0; n < i.region_count; n++) {
        const Region& r = *i.regions[n];
        for (unsigned a = 0; a < r.arg_count; a++)
            define(r.args[a]);
        region(r);
    }
}

bool head(BinaryReader& r, Stage* stage, ShaderInfo* info) {
    r.field(*stage, kStageCount - 1);
    visit_info(r, *info);
    return r.ok();
}

class Reader {
  public:
    Reader(std::span<const uint8_t> content, std::span<const uint8_t> remarks,
           std::pmr::memory_resource* memory)
        : r_(content), remarks_(remarks), memory_(memory) {
        values_.reserve(content.size() / 6);
    }
    std::unique_ptr<Shader> run();

  private:
    void var();
    void region(Region* r);
    void instr(Op op, Region* r);
    bool operands(unsigned count);
    bool payload(Instr& i);
    bool define(Value* v);
    Var* var_of(uint64_t id) {
        return id < shader_->vars().size() ? shader_->vars()[id] : (r_.fail(), nullptr);
    }
    Type type() {
        Type t = Type::Void;
        r_.field(t, kLastType);
        return t;
    }

    BinaryReader r_, remarks_;
    std::pmr::memory_resource* const memory_;
    std::unique_ptr<Shader> shader_;
    std::vector<Value*> values_, operands_;
    std::vector<Type> types_;
    int64_t line_ = 0;
    unsigned depth_ = 0;
};

bool Reader::define(Value* v) {
    if (values_.size() >= kMaxTextValues) r_.fail();
    values_.push_back(v);
    return r_.ok();
}

bool Reader::operands(unsigned count) {
    operands_.clear();
    for (unsigned n = 0; n < count; n++) {
        const uint64_t back = r_.number();
        if (back >= values_.size()) r_.fail();
        if (!r_.ok()) return false;
        operands_.push_back(values_[values_.size() - 1 - size_t(back)]);
    }
    return true;
}

bool Reader::payload(Instr& i) {
    switch (payload_of(i.op)) {
        case Payload::None:
            break;
        case Payload::Bits: {
            const size_t size = bit_size(i.result()->type) == 64 ? 8 : 4;
            if (const uint8_t* p = r_.bytes(size)) std::memcpy(&i.u.bits, p, size);
            break;
        }
        case Payload::VarIo:
            i.var = var_of(r_.number());
            [[fallthrough]];
        case Payload::Io:
            visit_io(r_, i.u.io);
            break;
        case Payload::Tex: {
            TexInfo t;
            if (const uint64_t id = r_.number()) t.var = var_of(id - 1);
            visit_tex(r_, t);
            i.u.tex = shader_->create_tex(t);
            break;
        }
        case Payload::Mem: {
            MemInfo m;
            if (const uint64_t id = r_.number()) m.var = var_of(id - 1);
            visit_mem(r_, m);
            i.u.mem = shader_->create_mem(m);
            break;
        }
    }
    return r_.ok();
}

void Reader::instr(Op op, Region* r) {
    const OpInfo& info = op_info(op);
    const auto flags = uint8_t(r_.number(0xff));
    const int implied = implied_results(info, op);
    const size_t results = implied < 0 ? r_.count() : size_t(implied);
    const size_t count = info.operands < 0 ? r_.count() : size_t(info.operands);
    if (results > UINT16_MAX || count > UINT16_MAX) r_.fail();
    if (op == Op::StoreVar && !count) r_.fail();  // what the text form cannot say, the printer need not know
    if (!r_.ok() || !operands(unsigned(count))) return;
    types_.clear();
    for (size_t n = 0; n < results; n++)
        types_.push_back(type());
    if (!r_.ok()) return;
    Instr* const i = shader_->create(op, operands_, types_, region_count(op));
    append(r, i);
    i->flags = flags;
    int64_t step = 0;
    remarks_.field(step);
    line_ = int64_t(uint64_t(line_) + uint64_t(step));
    i->line = uint32_t(line_);
    for (size_t n = 0; n < results; n++)
        if (!define(i->result(unsigned(n)))) return;
    if (!payload(*i)) return;
    if (op == Op::Loop) {
        const size_t args = r_.count();
        if (args >= UINT16_MAX) r_.fail();
        for (size_t n = 0; n < args && r_.ok(); n++)
            if (!define(shader_->add_region_arg(i->regions[0], type()))) return;
    }
    for (unsigned n = 0; n < i->region_count && r_.ok(); n++)
        region(i->regions[n]);
}

void Reader::region(Region* r) {
    if (++depth_ > kMaxRegionDepth) r_.fail();
    while (r_.ok()) {
        const auto op = Op(r_.number(uint64_t(Op::Count_)));
        if (!r_.ok() || op == Op::Count_) break;
        instr(op, r);
    }
    depth_--;
}

void Reader::var() {
    Var v;
    visit_var(r_, v);
    if (!r_.ok()) return;
    const size_t size = remarks_.count();
    const uint8_t* const name = remarks_.bytes(size);
    Var& made = *shader_->add_var({}, v.type, v.count, v.storage);
    v.id = made.id;
    if (name) v.name.assign(reinterpret_cast<const char*>(name), size);
    made = std::move(v);
}

std::unique_ptr<Shader> Reader::run() {
    Stage stage;
    ShaderInfo info;
    if (!head(r_, &stage, &info)) return nullptr;
    shader_ = std::make_unique<Shader>(stage, memory_);
    shader_->info = info;
    for (size_t n = r_.count(); n && r_.ok(); n--)
        var();
    if (r_.ok()) region(shader_->body);
    const bool whole = r_.ok() && r_.at_end() && remarks_.ok() && remarks_.at_end();
    return whole ? std::move(shader_) : nullptr;
}

}  // namespace

Binary write_binary(const Shader& s) {
    return Writer(s).run();
}

std::unique_ptr<Shader> read_binary(std::span<const uint8_t> content, std::span<const uint8_t> remarks,
                                    std::pmr::memory_resource* memory) {
    return Reader(content, remarks, memory).run();
}

bool read_head(std::span<const uint8_t> content, Stage* stage, ShaderInfo* info) {
    BinaryReader r(content);
    return head(r, stage, info);
}

ContentHash hash_content(std::span<const uint8_t> content) {
    return shaders::digest_of(content);
}

}  // namespace terrazzo::ir
