// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Private to parse*.cpp: recursive descent over the text form. The first error stops everything: functions
// return early once error_ is set. parse.cpp reads the structure, parse_op.cpp what follows an operation's
// name.
#pragma once

#include "shaders/ir/lexer.h"
#include "shaders/ir/parse.h"

namespace terrazzo::ir {

struct Typed {
    uint32_t id;
    Type type;
};

/// The parts of an instruction that were read before it is created.
struct ParsedOp {
    Op op = Op::Undef;
    uint8_t flags = 0;
    std::vector<Typed> results;
    std::vector<Value*> operands;
    std::vector<Typed> args;  // Loop
    IoInfo io;
    uint64_t bits = 0;
    Var* var = nullptr;
    TexInfo tex;
    MemInfo mem;
    bool has_mem = false;
};

class Parser {
  public:
    Parser(std::string_view text, std::pmr::memory_resource* memory) : lex_(text), memory_(memory) {}
    ParseResult parse();

  private:
    bool failed() const { return !error_.empty(); }
    void fail(std::string_view what);
    bool is(std::string_view s) const {
        return (lex_.kind == Lexer::Kind::Word || lex_.kind == Lexer::Kind::Punct) && lex_.text == s;
    }
    bool accept(std::string_view s);
    void expect(std::string_view s);
    std::string_view word();
    template <typename T>
    T number(std::string_view s, T max);
    uint32_t u32(uint32_t max = UINT32_MAX) { return number<uint32_t>(word(), max); }
    int32_t i32();
    template <typename E>
    E name();
    template <typename E>
    bool accept_name(E& e);
    uint32_t id();
    Value* value();
    Typed typed();
    void values(std::vector<Value*>& v);
    void define(Value* v, uint32_t id);

    void info();
    void var();
    void var_attribute(Var& v);
    Var* var_ref(std::string_view w);
    void region(Region* r);
    void statement(Region* r);
    void payload(ParsedOp& p);
    void var_access(ParsedOp& p);
    void loop_args(ParsedOp& p);
    void sysval(ParsedOp& p);
    void build(const ParsedOp& p, Region* r);
    uint64_t constant(Type t);
    uint64_t floating(std::string_view w, Type t);
    void slot(IoInfo& io, std::string_view w);
    uint32_t component(std::string_view w);
    TexInfo tex();
    void tex_attribute(TexInfo& t);
    MemInfo mem(Op op);
    void mem_attribute(Op op, MemInfo& m);
    bool bit_word(uint8_t& bits, std::span<const std::string_view> names);
    void parenthesised(std::vector<Value*>& v);

    Lexer lex_;
    std::pmr::memory_resource* memory_;
    std::unique_ptr<Shader> shader_;
    std::vector<Value*> values_;
    std::string error_;
    unsigned depth_ = 0;
};

}  // namespace terrazzo::ir
