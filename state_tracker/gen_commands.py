#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Generates the GL tables from Khronos' gl.xml (Debian package khronos-api).

  gen_commands.py gl.xml extensions.txt MODE OUT [es1.txt]

MODE is what to write to OUT:
  header       enums, types, declarations of st::Command functions
  extensions   the names for GL_EXTENSIONS
  entry        the exported gl* functions and the table of eglGetProcAddress; takes es1.txt
  trampolines  libGLESv2's functions: each jumps through terrazzo_gl_table
  script       libGLESv2's version script
  names        names of enums, for messages

A command is implemented if OpenGL ES 2.0, an extension of extensions.txt, or commands.txt (in the same
folder) has it. Its code is st::Name(Context&, ...) without the vendor suffix. Every other command of ES 3.0
to 3.2 gets an entry that raises GL_INVALID_OPERATION.

es1.txt lists the extensions of OpenGL ES 1.1 (api/es1, whose gen_es1.py generates the rest for it). A command
that both versions have is passed to api/es1 if no context of OpenGL ES 2.0 or later is current."""
import io
import os
import re
import sys
import xml.etree.ElementTree as ET

SUFFIX = re.compile(r'(OES|EXT|KHR|ANGLE|NV|MESA|OVR)$')
VERSIONS = ['2.0', '3.0', '3.1', '3.2']


class Output(io.StringIO):
    """A file that is written only if its text changed, so that unchanged outputs cause no rebuild."""
    def __init__(self, path):
        super().__init__()
        self.path = path

    def __exit__(self, kind, *rest):
        text = self.getvalue()
        if kind is None and not (os.path.exists(self.path) and open(self.path).read() == text):
            with open(self.path, 'w') as out:
                out.write(text)
        super().__exit__(kind, *rest)


def flat_text(node):
    return ''.join(node.itertext())


class Command:
    def __init__(self, node):
        proto = node.find('proto')
        self.name = proto.find('name').text
        alias = node.find('alias')
        self.alias = None if alias is None else alias.get('name')
        self.result = flat_text(proto)[:-len(self.name)].strip()
        self.params = []
        for p in node.findall('param'):
            name = p.find('name').text
            text = flat_text(p).strip()
            self.params.append((text[:text.rindex(name)].strip(), name))
        self.version = None      # first core version that has it
        self.extensions = []     # rows of extensions.txt that have it
        self.own = False         # one of those rows says own

    @property
    def function(self):
        base = self.name[2:]
        return SUFFIX.sub('', base) if self.version is None and not self.own else base

    def types(self):
        return tuple(t for t, _ in self.params)

    def decl(self):
        return ', '.join(f'{t} {n}' for t, n in self.params)

    def args(self):
        return ', '.join(n for _, n in self.params)


def load(xml_path, ext_path):
    root = ET.parse(xml_path).getroot()
    commands = {c.name: c for c in map(Command, root.findall('commands/command'))}
    lines = [l.split() for l in open(ext_path) if l.strip() and not l.startswith('#')]
    rows = [l[0] for l in lines]
    for l in lines:
        for word in l[1:]:
            if word not in ('unlisted', 'own', 'since:3.0', 'since:3.1', 'since:3.2'):
                sys.exit(f'gen_commands.py: {ext_path}: {l[0]}: what does {word} mean?')
    since = [next((w[6:] for w in l[1:] if w.startswith('since:')), '2.0') for l in lines]
    known = {l[0] for l in lines if 'unlisted' in l[1:]}
    own = {l[0] for l in lines if 'own' in l[1:]}
    enums = {}
    for e in root.findall('enums/enum'):
        if e.get('api') in (None, 'gles2'):
            enums.setdefault(e.get('name'), (e.get('value'), e.get('type')))
    used, enum_names, extended = {}, {}, {}
    for f in root.findall('feature'):
        if f.get('api') == 'gles2':
            for r in f.findall('require'):
                for c in r.findall('command'):
                    cmd = commands[c.get('name')]
                    cmd.version = cmd.version or f.get('number')
                    used[cmd.name] = cmd
                for e in r.findall('enum'):
                    enum_names[e.get('name')] = True
    for x in root.findall('extensions/extension'):
        if 'gles2' not in (x.get('supported') or '').split('|'):
            continue
        for r in x.findall('require'):
            for e in r.findall('enum'):
                enum_names[e.get('name')] = True
            if r.get('api') not in (None, 'gles2'):
                continue
            for c in r.findall('command'):
                cmd = commands[c.get('name')]
                extended[cmd.name] = cmd
                if x.get('name') in rows:
                    cmd.extensions.append(x.get('name'))
                    cmd.own = cmd.own or x.get('name') in own
                    used[cmd.name] = cmd
        known.add(x.get('name'))
    missing = [r for r in rows if r not in known]
    if missing:
        sys.exit(f'gen_commands.py: not extensions of OpenGL ES in the XML: {missing}')
    done_path = os.path.join(os.path.dirname(ext_path), 'commands.txt')
    done = [l.strip() for l in open(done_path) if l.strip() and not l.startswith('#')]
    for name in done:
        if name not in used or used[name].version in (None, '2.0'):
            sys.exit(f'gen_commands.py: {done_path}: {name} is no command of OpenGL ES 3')
        if done.count(name) > 1:
            sys.exit(f'gen_commands.py: {done_path}: {name} stands there twice')
    commands = sorted(used.values(), key=lambda c: c.name)
    implemented = {}
    for c in commands:
        if c.version == '2.0' or c.extensions or c.name in done:
            implemented.setdefault(c.function, c)
    found = {n: enums[n] for n in sorted(enum_names) if n in enums}
    declared = sorted({**used, **extended}.values(), key=lambda c: c.name)
    return commands, implemented, found, rows, since, declared


def read_rows(ext_path):
    return [l.split()[0] for l in open(ext_path) if l.strip() and not l.startswith('#')]


def load_es1(xml_path, ext_path):
    """The commands of OpenGL ES 1.1 and of its extensions in `ext_path`, sorted, and those of its enums that
    OpenGL ES 2.0 and later lack."""
    root = ET.parse(xml_path).getroot()
    all_commands = {c.name: c for c in map(Command, root.findall('commands/command'))}
    values = {e.get('name'): e.get('value') for e in root.findall('enums/enum')
              if e.get('api') in (None, 'gles1')}
    rows = read_rows(ext_path)
    used, enums, others = {}, {}, set()
    for owner in root.findall('feature') + root.findall('extensions/extension'):
        feature = owner.tag == 'feature'
        apis = [owner.get('api')] if feature else (owner.get('supported') or '').split('|')
        if 'gles2' in apis:
            others |= {e.get('name') for e in owner.findall('require/enum')}
        if 'gles1' not in apis or not (feature or owner.get('name') in rows):
            continue
        for r in owner.findall('require'):
            if r.get('api') not in (None, 'gles1'):
                continue
            for c in r.findall('command'):
                cmd = used.setdefault(c.get('name'), all_commands[c.get('name')])
                if feature:
                    cmd.version = '1.1'
                else:
                    cmd.extensions.append(owner.get('name'))
            names = [e.get('name') for e in r.findall('enum')]
            enums.update({n: values[n] for n in names if n in values})
    known = {x.get('name') for x in root.findall('extensions/extension')
             if 'gles1' in (x.get('supported') or '').split('|')}
    if not known >= set(rows):
        unknown = sorted(set(rows) - known)
        sys.exit(f'gen_commands.py: {ext_path}: not extensions of OpenGL ES 1.1 in the XML: {unknown}')
    own = {n: v for n, v in sorted(enums.items()) if n not in others}
    return sorted(used.values(), key=lambda c: c.name), own


TYPES = '''
typedef unsigned int GLenum;
typedef unsigned char GLboolean;
typedef unsigned int GLbitfield;
typedef void GLvoid;
typedef signed char GLbyte;
typedef unsigned char GLubyte;
typedef short GLshort;
typedef unsigned short GLushort;
typedef int GLint;
typedef unsigned int GLuint;
typedef int GLsizei;
typedef float GLfloat;
typedef float GLclampf;
typedef int GLfixed;
typedef char GLchar;
typedef unsigned short GLhalf;
typedef intptr_t GLintptr;
typedef ptrdiff_t GLsizeiptr;
typedef int64_t GLint64;
typedef uint64_t GLuint64;
typedef struct __GLsync* GLsync;
typedef void* GLeglImageOES;
typedef void (*GLDEBUGPROC)(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                            const GLchar* message, const void* userParam);
typedef GLDEBUGPROC GLDEBUGPROCKHR;
'''
TYPE_NAMES = set(re.findall(r'\w+', TYPES)) | {'const', 'void'}


def known_types(c):
    """False for commands of extensions that define their own types."""
    return set(re.findall(r'\w+', ' '.join(c.types() + (c.result,)))) <= TYPE_NAMES


HEAD = '// Generated by state_tracker/gen_commands.py from Khronos\' gl.xml. Do not edit.\n'


def write_header(out, declared, enums):
    """Declares all of OpenGL ES and of its extensions, so that a new row of extensions.txt or commands.txt
    changes neither this header nor the files that include it."""
    out.write(HEAD + '#pragma once\n\n#include <cstddef>\n#include <cstdint>\n\n')
    out.write('extern "C" {' + TYPES + '}\n\n')
    for name, (value, kind) in enums.items():
        out.write(f'#define {name} {value}{"ull" if kind == "ull" else "u" if kind == "u" else ""}\n')
    out.write('\nnamespace terrazzo::st {\n\nclass Context;\n\n')
    seen = set()
    # An extension's command may have GLenum where OpenGL ES later has GLint (glTexImage3DOES). It is the same
    # function.
    core = {(c.function, len(c.params)) for c in declared if c.version}
    for c in sorted(declared, key=lambda c: c.function):
        if (c.function, c.types()) in seen or not known_types(c):
            continue
        if not c.version and (c.function, len(c.params)) in core:
            continue
        seen.add((c.function, c.types()))
        out.write(f'{c.result} {c.function}(Context& ctx{", " if c.params else ""}{c.decl()});\n')
    out.write('\n}  // namespace terrazzo::st\n')


def write_extensions(out, rows, since):
    out.write(HEAD + '#pragma once\n\nnamespace terrazzo::st {\n\n'
              'inline constexpr const char* kExtensionNames[] = {\n')
    for r in rows:
        out.write(f'    "{r}",\n')
    out.write('};\n\n/// The first version of OpenGL ES whose contexts have it.\n'
              'inline constexpr int kExtensionSince[] = {\n')
    for s in since:
        out.write(f'    {s.replace(".", "")},\n')
    out.write('};\n\n}  // namespace terrazzo::st\n')


def write_entry(out, commands, implemented, rows, es1):
    out.write(HEAD + '#include <cstring>\n#include <new>\n\n#include "api/gl/entry.h"\n\n'
              'using namespace terrazzo;\nusing terrazzo::gl_entry::current;\n\n')
    shared = [c for c in commands if c.name in es1]
    out.write('/// These commands in a context of OpenGL ES 1.1 (api/es1), or without one.\n'
              'namespace terrazzo::es1_entry {\n')
    out.writelines(f'{c.result} {c.name}({c.decl()});\n' for c in shared)
    out.write('}  // namespace terrazzo::es1_entry\n\nextern "C" {\n\n')
    for c in commands:
        real = c.version == '2.0' or bool(c.extensions) or c.function in implemented
        ret = '' if c.result == 'void' else ' {}'
        need = f'OpenGL ES {c.version}' if c.version else ' or '.join(c.extensions)
        if c.version and not real:
            need += ', of which not all is here yet'
        number = int(c.version.replace('.', '')) if c.version else 20
        out.write(f'TZ_GL_EXPORT {c.result} {c.name}({c.decl() or "void"}) {{\n')
        out.write('    st::Context* ctx = current();\n')
        if c.name in es1:
            out.write(f'    if (!ctx) [[unlikely]] return es1_entry::{c.name}({c.args()});\n')
        else:
            out.write(f'    if (!ctx) [[unlikely]] {{\n'
                      f'        gl_entry::not_here("{c.name}");\n        return{ret};\n    }}\n')
        if not real:
            for _, n in c.params:
                out.write(f'    (void){n};\n')
            out.write(f'    gl_entry::unsupported(*ctx, "{c.name}", "{need}");\n    return{ret};\n}}\n\n')
            continue
        if c.function not in ('GetError', 'GetGraphicsResetStatus'):
            out.write(f'    if (ctx->lost) [[unlikely]] {{\n'
                      f'        gl_entry::lost(*ctx, "{c.name}");\n        return{ret};\n    }}\n')
        if not c.version:
            # The context's version and its device decide which extensions it has (context/limits.cpp).
            has = ' || '.join(f'ctx->limits.extensions[{rows.index(e)}]' for e in c.extensions)
            out.write(f'    if (!({has})) [[unlikely]] {{\n'
                      f'        gl_entry::unsupported(*ctx, "{c.name}", "{need}");\n'
                      f'        return{ret};\n    }}\n')
        elif number > 20 and not c.extensions:
            out.write(f'    if (gl_entry::version(*ctx) < {number}) [[unlikely]] {{\n'
                      f'        gl_entry::unsupported(*ctx, "{c.name}", "{need}");\n'
                      f'        return{ret};\n    }}\n')
        out.write(f'    try {{\n        return st::{c.function}(*ctx{", " if c.params else ""}{c.args()});\n'
                  f'    }} catch (const std::bad_alloc&) {{\n'
                  f'        gl_entry::out_of_memory(*ctx, "{c.name}");\n'
                  f'        return{ret};\n    }}\n}}\n\n')
    out.write('}  // extern "C"\n\nnamespace terrazzo::gl_entry {\n\n'
              'const ProcAddress kProcAddresses[] = {\n')
    # Desktop GL's name of an extension's command is an alias: libGL.so.1 asks for it (tests/clients,
    # --glvnd).
    names = {c.alias: c.name for c in commands if c.alias and c.extensions}
    names.update({c.name: c.name for c in commands})
    for name in sorted(names):
        out.write(f'    {{"{name}", reinterpret_cast<void (*)()>(&{names[name]})}},\n')
    out.write('};\nconst unsigned kProcAddressCount = sizeof kProcAddresses / sizeof kProcAddresses[0];\n\n'
              '}  // namespace terrazzo::gl_entry\n\n'
              'extern "C" __attribute__((visibility("default"))) void (*const terrazzo_gl_table[])();\n'
              'void (*const terrazzo_gl_table[])() = {\n')
    for c in commands:
        out.write(f'    reinterpret_cast<void (*)()>(&{c.name}),\n')
    out.write('};\n')


def write_trampolines(out, commands):
    out.write(HEAD + '#include <stddef.h>\n#include <stdint.h>\n' + TYPES +
              '\nextern void (*const terrazzo_gl_table[])(void);\n\n')
    for i, c in enumerate(commands):
        params = c.decl() or 'void'
        ret = '' if c.result == 'void' else 'return '
        out.write(f'__attribute__((visibility("default"))) {c.result} {c.name}({params}) {{\n'
                  f'    {ret}(({c.result} (*)({params}))terrazzo_gl_table[{i}])({c.args()});\n}}\n')


BIT_SUFFIXES = ('_BIT', '_BITS', '_BIT_EXT', '_BIT_OES', '_BIT_KHR')


def preferred_names(xml_path):
    """value -> name. Values below 0x100 have many names (GL_ZERO, GL_POINTS, GL_FALSE) and are left out.
    Among synonyms the name of OpenGL ES is preferred, then that of desktop GL (programs use it by mistake),
    then that of an extension of OpenGL ES."""
    root = ET.parse(xml_path).getroot()
    values = {e.get('name'): int(e.get('value'), 0) for e in root.findall('enums')
              for e in e.findall('enum')
              if e.get('value') and not e.get('name').endswith(BIT_SUFFIXES) and e.get('type') != 'bitmask'}
    bitmasks = {e.get('name') for g in root.findall('enums') if g.get('type') == 'bitmask'
                for e in g.findall('enum')}
    features = root.findall('feature')
    features.sort(key=lambda f: (not f.get('api').startswith('gles2'), f.get('api') != 'gl', f.get('number')))
    supported = [e for api in ('gles2', 'gles1') for e in root.findall('extensions/extension')
                 if api in e.get('supported').split('|')]
    names = {}
    for owner in features + supported:
        for e in owner.findall('require/enum'):
            value = values.get(e.get('name'))
            if value is not None and 0x100 <= value < 0x10000 and e.get('name') not in bitmasks:
                names.setdefault(value, e.get('name'))
    return names


def write_names(out, xml_path):
    names = sorted(preferred_names(xml_path).items())
    # One text without pointers, so that loading the library relocates nothing.
    out.write('// Generated by state_tracker/gen_commands.py. Do not edit.\n'
              '#include "state_tracker/debug/enum_name.h"\n\n'
              'namespace terrazzo::st {\n\nextern const uint16_t kEnumValues[] = {\n')
    out.writelines(f'    0x{v:04X},\n' for v, _ in names)
    out.write('};\nextern const unsigned kEnumCount = sizeof kEnumValues / sizeof kEnumValues[0];\n'
              'extern const char kEnumNames[] =\n')
    out.writelines(f'    "{n}\\0"\n' for _, n in names)
    out.write('    ;\n\n}  // namespace terrazzo::st\n')


def main():
    _, xml, exts, mode, path, *es1_txt = sys.argv
    commands, implemented, enums, rows, since, declared = load(xml, exts)
    with Output(path) as out:
        if mode == 'header':
            write_header(out, declared, enums)
        elif mode == 'extensions':
            write_extensions(out, rows, since)
        elif mode == 'entry':
            write_entry(out, commands, implemented, rows, {c.name for c in load_es1(xml, es1_txt[0])[0]})
        elif mode == 'trampolines':
            write_trampolines(out, commands)
        elif mode == 'names':
            write_names(out, xml)
        elif mode == 'script':
            out.write('{\n  global:\n' + ''.join(f'    {c.name};\n' for c in commands) + '  local: *;\n};\n')
        else:
            sys.exit(f'gen_commands.py: no mode {mode}')


if __name__ == '__main__':
    main()
