// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Corrects glslang's parser where it is stricter or laxer than ESSL 1.00. The linker's --wrap (meson.build in
// this folder) redirects calls between glslang's own objects to functions here; `__real_` names the original
// ones. Conversions happen while the parser runs, so that const initialisers, array sizes and all other
// constant expressions see them:
//   - ESSL 1.00 5.10: built-in functions with constant arguments are constant expressions (glslang folds
//     most);
//   - ESSL 1.00 5.10: so is the sequence operator (not in 3.00);
//   - `float[2] x`, which is not in the grammar of 1.00, but accepted by drivers (piglit relies on it);
//   - gl_FragData may be indexed by any expression (ESSL 1.00 appendix A leaves it to the implementation);
//   - structures have the front end's limits before they are processed (type.h);
//   - a block must not have a function's name (glslang reads a null pointer there);
//   - ESSL 1.00 6.1: a definition must repeat the precision of its prototype's return type.
// Work of glslang that few shaders need (together a tenth of a compilation) is left out:
//   - definitions of macros: the text has no macros left (preprocessor.h);
//   - a map of the extensions of all versions of GLSL: only ESSL's are needed;
//   - a walk for `precise` in texts without that word;
//   - a comparison of each label of a switch with all before it: Scan finds duplicates (scan.cpp).
// If a feature needs a version, the message names that version. glslang's allocations are counted (amend.h).
// glslang's front end for HLSL is not used: without these four functions the linker omits it (400 KB), and
// the start creates no table of its keywords.
// The names below are those of the Itanium ABI. A glslang with other names does not link, and the tests show
// it.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "shaders/glsl/amend.h"
#include "shaders/glsl/ast.h"
#include "shaders/glsl/extensions.h"
#include "shaders/glsl/layout_rules.h"
#include "shaders/glsl/type.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wextra"
#include <glslang/MachineIndependent/ParseHelper.h>
#pragma GCC diagnostic pop

using namespace glslang;

// Symbols with long names: SYMBOL(__wrap_) is the function here, SYMBOL(__real_) is glslang's.
// clang-format off
#define DECLARE_BLOCK(prefix)        prefix##_ZN7glslang13TParseContext12declareBlockERKNS_10TSourceLocERNS_7TVectorINS_8TTypeLocEEEPKNSt7__cxx1112basic_stringIcSt11char_traitsIcENS_14pool_allocatorIcEEEEPNS_11TArraySizesE
#define GET_PREAMBLE(prefix)         prefix##_ZN7glslang14TParseVersions11getPreambleERNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE
#define HLSL_PARSE_CONTEXT(prefix)   prefix##_ZN7glslang16HlslParseContextC1ERNS_12TSymbolTableERNS_13TIntermediateEbi8EProfileRKNS_10SpvVersionE11EShLanguageR9TInfoSinkNSt7__cxx1112basic_stringIcSt11char_traitsIcENS_14pool_allocatorIcEEEEb11EShMessages
// clang-format on

extern "C" {
TIntermTyped* __real__ZN7glslang13TIntermediate4foldEPNS_16TIntermAggregateE(TIntermediate*,
                                                                             TIntermAggregate*);
TIntermTyped* __wrap__ZN7glslang13TIntermediate4foldEPNS_16TIntermAggregateE(TIntermediate*,
                                                                             TIntermAggregate*);
TIntermTyped* __real__ZN7glslang13TIntermediate8addCommaEPNS_12TIntermTypedES2_RKNS_10TSourceLocE(
    TIntermediate*, TIntermTyped*, TIntermTyped*, const TSourceLoc&);
TIntermTyped* __wrap__ZN7glslang13TIntermediate8addCommaEPNS_12TIntermTypedES2_RKNS_10TSourceLocE(
    TIntermediate*, TIntermTyped*, TIntermTyped*, const TSourceLoc&);
void __real__ZN7glslang14TParseVersions15profileRequiresERKNS_10TSourceLocEiiPKcS5_(TParseVersions*,
                                                                                    const TSourceLoc&, int,
                                                                                    int, const char*,
                                                                                    const char*);
void __wrap__ZN7glslang14TParseVersions15profileRequiresERKNS_10TSourceLocEiiPKcS5_(TParseVersions*,
                                                                                    const TSourceLoc&, int,
                                                                                    int, const char*,
                                                                                    const char*);
void __wrap__ZN7glslang13TParseContext23wrapupSwitchSubsequenceEPNS_16TIntermAggregateEP11TIntermNode(
    TParseContext*, TIntermAggregate*, TIntermNode*);
void* __real__ZN7glslang14TPoolAllocator8allocateEm(TPoolAllocator*, size_t);
void* __wrap__ZN7glslang14TPoolAllocator8allocateEm(TPoolAllocator*, size_t);
void __real__ZN7glslang14TParseVersions14requireProfileERKNS_10TSourceLocEiPKc(TParseVersions*,
                                                                               const TSourceLoc&, int,
                                                                               const char*);
void __wrap__ZN7glslang14TParseVersions14requireProfileERKNS_10TSourceLocEiPKc(TParseVersions*,
                                                                               const TSourceLoc&, int,
                                                                               const char*);
TFunction* __real__ZN7glslang13TParseContext24handleFunctionDeclaratorERKNS_10TSourceLocERNS_9TFunctionEb(
    TParseContext*, const TSourceLoc&, TFunction&, bool);
TFunction* __wrap__ZN7glslang13TParseContext24handleFunctionDeclaratorERKNS_10TSourceLocERNS_9TFunctionEb(
    TParseContext*, const TSourceLoc&, TFunction&, bool);
void GET_PREAMBLE(__real_)(TParseVersions*, std::string&);
void GET_PREAMBLE(__wrap_)(TParseVersions*, std::string&);
void __real__ZN7glslang14TParseVersions27initializeExtensionBehaviorEv(TParseVersions*);
void __wrap__ZN7glslang14TParseVersions27initializeExtensionBehaviorEv(TParseVersions*);
void __real__ZN7glslang13TParseContext16structArrayCheckERKNS_10TSourceLocERKNS_5TTypeE(TParseContext*,
                                                                                        const TSourceLoc&,
                                                                                        const TType&);
void __wrap__ZN7glslang13TParseContext16structArrayCheckERKNS_10TSourceLocERKNS_5TTypeE(TParseContext*,
                                                                                        const TSourceLoc&,
                                                                                        const TType&);
void DECLARE_BLOCK(__real_)(TParseContext*, const TSourceLoc&, TTypeList&, const TString*, TArraySizes*);
void DECLARE_BLOCK(__wrap_)(TParseContext*, const TSourceLoc&, TTypeList&, const TString*, TArraySizes*);
void __real__ZN7glslang22PropagateNoContractionERKNS_13TIntermediateE(const TIntermediate&);
void __wrap__ZN7glslang22PropagateNoContractionERKNS_13TIntermediateE(const TIntermediate&);
void __wrap__ZN7glslang15HlslScanContext16fillInKeywordMapEv();
void __wrap__ZN7glslang15HlslScanContext16deleteKeywordMapEv();
[[noreturn]] void __wrap__ZN7glslang22TBuiltInParseablesHlslC1Ev();
[[noreturn]] void HLSL_PARSE_CONTEXT(__wrap_)();
}

namespace terrazzo::shaders::glsl {
thread_local bool t_says_precise = false;
thread_local size_t t_parser_B = 0;
}  // namespace terrazzo::shaders::glsl

namespace {

bool is_essl_100(const TIntermediate& tree) {
    return tree.getProfile() == EEsProfile && tree.getVersion() <= 100;
}

/// matrixCompMult of constants (in glslang, an aggregate of EOpMul); null: the call is something else.
TIntermTyped* fold_matrix_comp_mult(TIntermediate& tree, TIntermAggregate& call) {
    const TIntermSequence& args = call.getSequence();
    if (call.getOp() != EOpMul || args.size() != 2 || !call.isMatrix()) return nullptr;
    const TIntermConstantUnion* a = args[0]->getAsConstantUnion();
    const TIntermConstantUnion* b = args[1]->getAsConstantUnion();
    if (!a || !b || a->getConstArray().size() != b->getConstArray().size()) return nullptr;
    TConstUnionArray product(a->getConstArray().size());
    // In single precision, as the same call with other arguments.
    for (int i = 0; i < product.size(); ++i)
        product[i].setDConst(
            double(float(a->getConstArray()[i].getDConst()) * float(b->getConstArray()[i].getDConst())));
    TType type(EbtFloat, EvqConst, call.getQualifier().precision, 0, call.getMatrixCols(),
               call.getMatrixRows());
    return tree.addConstantUnion(product, type, call.getLoc(), false);
}

/// glslang compares the types of a prototype and a definition without their precisions.
void check_return_precision(TParseContext& parser, const TSourceLoc& loc, const TFunction& f) {
    if (!is_essl_100(parser.intermediate)) return;
    bool built_in = false;
    TSymbol* symbol = parser.symbolTable.find(f.getMangledName(), &built_in);
    const TFunction* known = symbol && !built_in ? symbol->getAsFunction() : nullptr;
    if (known && known->getType() == f.getType() &&
        known->getType().getQualifier().precision != f.getType().getQualifier().precision)
        parser.error(loc, "the precision of the return type differs from that of an earlier declaration",
                     f.getName().c_str(), "");
}

/// Whether a built-in function or one of the shader has this name.
bool names_function(TParseContext& parser, const TString& name) {
    TVector<const TFunction*> functions;
    bool built_in = false;
    parser.symbolTable.findFunctionNameList(name + "(", functions, built_in);
    return !functions.empty();
}

/// The members of a structure, including those of nested structures, and its scalars. Counting stops beyond
/// the limits.
struct StructSize {
    uint64_t members = 0, scalars = 0;
    [[nodiscard]] bool too_large() const {
        return members > terrazzo::shaders::glsl::kMaxLeaves ||
               scalars > terrazzo::shaders::glsl::kMaxComponents;
    }
    void add(const TType& structure, uint64_t times) {
        for (const TTypeLoc& member : *structure.getStruct()) {
            const TType& t = *member.type;
            const uint64_t elements =
                t.isSizedArray() ? uint64_t(std::max(t.getCumulativeArraySize(), 1)) : 1;
            const uint64_t all = std::min(times * elements, terrazzo::shaders::glsl::kMaxComponents + 1);
            if (t.isStruct()) {
                add(t, all);
            } else {
                const int scalars_of_one =
                    t.isMatrix() ? t.getMatrixCols() * t.getMatrixRows() : t.getVectorSize();
                ++members;
                scalars += all * uint64_t(scalars_of_one);
            }
            if (too_large()) return;
        }
    }
};

/// Gives access to a protected member.
struct Behaviors : TParseVersions {
    static auto of(TParseVersions& parser) -> TMap<TString, TExtensionBehavior>& {
        return parser.*(&Behaviors::extensionBehavior);
    }
};

/// EXT_shadow_samplers: samplers of ESSL 1.00 have a default precision, so these need one, too.
struct Precisions : TParseContext {
    static void set_shadow_samplers(TParseContext& parser) {
        TSampler shadow;
        shadow.clear();
        shadow.set(EbtFloat, Esd2D, false, true);
        (parser.*
         (&Precisions::defaultSamplerPrecision))[(parser.*(&Precisions::computeSamplerTypeIndex))(shadow)] =
            EpqLow;
    }
};

/// Whether the preamble and the extensions are ours.
bool is_essl(const TParseVersions& parser) {
    return parser.profile == EEsProfile;
}

}  // namespace

TIntermTyped* __wrap__ZN7glslang13TIntermediate4foldEPNS_16TIntermAggregateE(TIntermediate* tree,
                                                                             TIntermAggregate* call) {
    if (TIntermTyped* folded = fold_matrix_comp_mult(*tree, *call)) return folded;
    return __real__ZN7glslang13TIntermediate4foldEPNS_16TIntermAggregateE(tree, call);
}

TIntermTyped* __wrap__ZN7glslang13TIntermediate8addCommaEPNS_12TIntermTypedES2_RKNS_10TSourceLocE(
    TIntermediate* tree, TIntermTyped* left, TIntermTyped* right, const TSourceLoc& loc) {
    if (is_essl_100(*tree) && left->getAsConstantUnion() && right->getAsConstantUnion()) return right;
    return __real__ZN7glslang13TIntermediate8addCommaEPNS_12TIntermTypedES2_RKNS_10TSourceLocE(tree, left,
                                                                                               right, loc);
}

void __wrap__ZN7glslang14TParseVersions15profileRequiresERKNS_10TSourceLocEiiPKcS5_(
    TParseVersions* parser, const TSourceLoc& loc, int profiles, int min_version, const char* extension,
    const char* feature) {
    if (is_essl_100(parser->intermediate) && std::strcmp(feature, "arrayed type") == 0) return;
    if (terrazzo::shaders::glsl::is_separate_location(*parser, feature)) return;
    if (is_essl(*parser) && (profiles & EEsProfile) && !extension && parser->version < min_version) {
        const std::string needs =
            "needs #version " + std::to_string(min_version) + " es or later; this text is GLSL ES " +
            std::to_string(parser->version / 100) + "." + (parser->version % 100 < 10 ? "0" : "") +
            std::to_string(parser->version % 100);
        return parser->error(loc, needs.c_str(), feature, "");
    }
    __real__ZN7glslang14TParseVersions15profileRequiresERKNS_10TSourceLocEiiPKcS5_(
        parser, loc, profiles, min_version, extension, feature);
}

void __wrap__ZN7glslang14TParseVersions14requireProfileERKNS_10TSourceLocEiPKc(TParseVersions* parser,
                                                                               const TSourceLoc& loc,
                                                                               int profiles,
                                                                               const char* feature) {
    // A rule of ESSL 3.00 about outputs that a shader declares (Walker::bind_output()).
    if (std::strcmp(feature, "variable indexing fragment shader output array") == 0) return;
    __real__ZN7glslang14TParseVersions14requireProfileERKNS_10TSourceLocEiPKc(parser, loc, profiles, feature);
}

TFunction* __wrap__ZN7glslang13TParseContext24handleFunctionDeclaratorERKNS_10TSourceLocERNS_9TFunctionEb(
    TParseContext* parser, const TSourceLoc& loc, TFunction& f, bool prototype) {
    check_return_precision(*parser, loc, f);
    return __real__ZN7glslang13TParseContext24handleFunctionDeclaratorERKNS_10TSourceLocERNS_9TFunctionEb(
        parser, loc, f, prototype);
}

void GET_PREAMBLE(__wrap_)(TParseVersions* parser, std::string& preamble) {
    if (!is_essl(*parser)) return GET_PREAMBLE(__real_)(parser, preamble);
    preamble = "#define GL_ES 1\n";  // glslang does not expect that it is empty
}

void __wrap__ZN7glslang14TParseVersions27initializeExtensionBehaviorEv(TParseVersions* parser) {
    if (!is_essl(*parser)) return __real__ZN7glslang14TParseVersions27initializeExtensionBehaviorEv(parser);
    auto& behaviors = Behaviors::of(*parser);
    for (const std::string_view name : terrazzo::shaders::glsl::kGlslangExtensions)
        behaviors[TString(name.data(), name.size())] = EBhDisable;
    for (const std::string_view name : terrazzo::shaders::glsl::kAddedExtensions)
        behaviors[TString(name.data(), name.size())] = EBhDisable;
    // The only kind of parser (the constructors of HLSL's are below).
    if (parser->version == 100) Precisions::set_shadow_samplers(static_cast<TParseContext&>(*parser));
}

/// glslang visits all members of a structure, including nested ones, each time a text names the type. A text
/// can double their number, and the number of constants, with each level of nesting. So structures that are
/// too large are truncated here.
void __wrap__ZN7glslang13TParseContext16structArrayCheckERKNS_10TSourceLocERKNS_5TTypeE(
    TParseContext* parser, const TSourceLoc& loc, const TType& structure) {
    using namespace terrazzo::shaders::glsl;
    StructSize size;
    size.add(structure, 1);
    if (!size.too_large())
        return __real__ZN7glslang13TParseContext16structArrayCheckERKNS_10TSourceLocERKNS_5TTypeE(parser, loc,
                                                                                                  structure);
    parser->error(loc, "a structure has too many members or scalars", structure.getTypeName().c_str(),
                  "Terrazzo: the limits are %d and %d", int(kMaxLeaves), int(kMaxComponents));
    const_cast<TTypeList*>(structure.getStruct())->resize(1);
}

/// Refuses a block with the name of a function: glslang looks for a variable of that name and uses the result
/// without a check.
void DECLARE_BLOCK(__wrap_)(TParseContext* parser, const TSourceLoc& loc, TTypeList& members,
                            const TString* instance, TArraySizes* sizes) {
    terrazzo::shaders::glsl::check_block_members(*parser, members);
    if (!names_function(*parser, *parser->blockName))
        return DECLARE_BLOCK(__real_)(parser, loc, members, instance, sizes);
    parser->error(loc, "a block cannot have the name of a function", parser->blockName->c_str(), "");
}

void __wrap__ZN7glslang22PropagateNoContractionERKNS_13TIntermediateE(const TIntermediate& tree) {
    const bool may_have = tree.getProfile() != EEsProfile || tree.getVersion() > 300;
    if (may_have && terrazzo::shaders::glsl::t_says_precise)
        __real__ZN7glslang22PropagateNoContractionERKNS_13TIntermediateE(tree);
}

/// Statements and a label of a switch. glslang compares each label with all before it.
void __wrap__ZN7glslang13TParseContext23wrapupSwitchSubsequenceEPNS_16TIntermAggregateEP11TIntermNode(
    TParseContext* parser, TIntermAggregate* statements, TIntermNode* label) {
    TIntermSequence& sequence = *parser->switchSequenceStack.back();
    if (statements) {
        if (sequence.empty())
            parser->error(statements->getLoc(), "cannot have statements before first case/default label",
                          "switch", "");
        statements->setOperator(EOpSequence);
        sequence.push_back(statements);
    }
    if (label) sequence.push_back(label);
}

/// All memory of glslang for a text is allocated here and freed when the text is done.
void* __wrap__ZN7glslang14TPoolAllocator8allocateEm(TPoolAllocator* pool, size_t size_B) {
    using namespace terrazzo::shaders::glsl;
    if (size_B > kMaxParser_B || (t_parser_B += size_B) > kMaxParser_B) throw ParserMemory();
    return __real__ZN7glslang14TPoolAllocator8allocateEm(pool, size_B);
}

void __wrap__ZN7glslang15HlslScanContext16fillInKeywordMapEv() {}
void __wrap__ZN7glslang15HlslScanContext16deleteKeywordMapEv() {}
// Constructors of objects that only EShSourceHlsl needs (compile.cpp uses EShSourceGlsl).
void __wrap__ZN7glslang22TBuiltInParseablesHlslC1Ev() {
    std::abort();
}
void HLSL_PARSE_CONTEXT(__wrap_)() {
    std::abort();
}
