// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/pipeline.h"

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>

#include "shaders/ir/print.h"
#include "shaders/ir/validate.h"
#include "shaders/passes/clamp_indices.h"
#include "shaders/passes/constant_folding.h"
#include "shaders/passes/copy_propagation.h"
#include "shaders/passes/cse.h"
#include "shaders/passes/dce.h"
#include "shaders/passes/fold_indices.h"
#include "shaders/passes/mem2reg.h"
#include "shaders/passes/reassociate_products.h"
#include "shaders/passes/simplify_if.h"

namespace terrazzo::ir {

namespace {

#ifdef NDEBUG
void check(const Shader&, const char*) {}
#else
void check(const Shader& s, const char* pass) {
    const std::string rule = validate(s);
    if (rule.empty()) return;
    std::fprintf(stderr, "terrazzo: pass %s broke the shader: %s\n%s", pass, rule.c_str(), print(s).c_str());
    std::abort();
}
#endif

bool ran(const Shader& s, const char* pass, bool changed) {
    if (changed) check(s, pass);
    return changed;
}

uint64_t count_instructions(const Region* r) {
    uint64_t count = 0;
    for (const Instr* i = r->first; i; i = i->next) {
        count++;
        for (unsigned n = 0; n < i->region_count; n++)
            count += count_instructions(i->regions[n]);
    }
    return count;
}

struct Pass {
    const char* name;
    bool (*run)(Shader& s, const PipelineOptions& o);
};
constexpr Pass kCleanUp[] = {
    {"copy_propagation", [](Shader& s, const PipelineOptions&) { return copy_propagation(s); }},
    {"constant_folding", [](Shader& s, const PipelineOptions&) { return constant_folding(s); }},
    {"algebraic", [](Shader& s, const PipelineOptions& o) { return algebraic(s, o.algebraic); }},
    {"simplify_if", [](Shader& s, const PipelineOptions&) { return simplify_if(s); }},
    {"cse", [](Shader& s, const PipelineOptions&) { return cse(s); }},
    {"dce", [](Shader& s, const PipelineOptions&) { return dce(s); }}};

}  // namespace

void clean_up(Shader& s, const PipelineOptions& o) {
    uint64_t visits = 0;
    size_t unchanged = 0;  // passes since the last change
    for (unsigned round = 0; round < o.max_rounds; round++) {
        if (round >= o.min_rounds && visits > o.max_visits) break;
        for (const Pass& pass : kCleanUp) {
            unchanged = ran(s, pass.name, pass.run(s, o)) ? 0 : unchanged + 1;
            if (unchanged == std::size(kCleanUp)) return;
        }
        visits += count_instructions(s.body);
    }
}

void optimize(Shader& s, const PipelineOptions& o) {
    check(s, "(given)");
    ran(s, "mem2reg", mem2reg(s));
    clean_up(s, o);
    // Unrolling turns indices into constants, so arrays can become values, which may reveal more constant
    // trip counts.
    for (unsigned round = 0; o.unroll_loops && round < 4; round++) {
        if (!ran(s, "loop_unroll", loop_unroll(s, o.loop_unroll))) break;
        clean_up(s, o);
        if (ran(s, "mem2reg", mem2reg(s))) clean_up(s, o);
    }
    if (o.lower_indirects && ran(s, "lower_indirect", lower_indirect(s, o.lower_indirect))) {
        ran(s, "mem2reg", mem2reg(s));
        clean_up(s, o);
    }
    if (o.convert_ifs && ran(s, "if_conversion", if_conversion(s, o.if_conversion))) clean_up(s, o);
    s.renumber();
}

void simplify_addresses_and_products(Shader& s) {
    if (ran(s, "clamp_indices", clamp_indices(s))) clean_up(s);
    if (ran(s, "fold_constant_indices", fold_constant_indices(s))) {
        mem2reg(s);
        clean_up(s);
    }
    // Each turn handles the last of several matrices.
    constexpr unsigned kMatrices = 4;
    for (unsigned turn = 0; turn < kMatrices && ran(s, "reassociate_products", reassociate_products(s));
         turn++)
        clean_up(s);
}

}  // namespace terrazzo::ir
