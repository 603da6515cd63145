# core.mjs + core.wasm: one thread.
# core-mt.mjs + core-mt.wasm: shared memory, for several threads.

file(GLOB binding_sources CONFIGURE_DEPENDS bindings/*.cc)
set(host_library ${CMAKE_CURRENT_SOURCE_DIR}/bindings/host_library.js)

set(wasm_compile_options ${core_options} -msimd128
  # Names of types that Embind doesn't know are only for error messages, which
  # the TypeScript wrapper never lets happen.
  -DEMSCRIPTEN_HAS_UNBOUND_TYPE_NAMES=0)

# The hot loops are unrolled by hand: -O3 would only add download size. -Os leaves
# loops over streams rolled, with accumulators in memory: 0.6 of the speed. The
# SLP vectorizer puts the four streams' addresses into one vector and takes them
# out again, lane by lane, for each load: 0.8 of the speed for LogSum.
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/src/kernels.cc PROPERTIES COMPILE_OPTIONS "-O2;-fno-slp-vectorize")

set(wasm_link_options -lembind --no-entry
  # Chooses the system libraries built the same way: Embind's identifies types
  # differently with and without run-time type information.
  -fno-exceptions -fno-rtti
  "SHELL:--js-library ${host_library}"
  -sMODULARIZE -sEXPORT_ES6
  # No deprecated defaults: only what is asked for is linked.
  -sSTRICT
  # BigInt64Array views of the memory, off by default in this release.
  -sWASM_BIGINT
  -sFILESYSTEM=0
  # No eval or new Function, so that pages with a strict
  # Content-Security-Policy work; Embind's invokers are made at link time
  # instead, which keeps calls as fast as the generated functions would be.
  -sDYNAMIC_EXECUTION=0 -sEMBIND_AOT
  # The factory returns the module itself, not a promise: the public API is synchronous.
  -sWASM_ASYNC_COMPILATION=0
  # A failing malloc returns null, which becomes an error the caller can handle.
  -sALLOW_MEMORY_GROWTH -sABORTING_MALLOC=0
  # emmalloc's test whether a region is large enough overflows near 4 GB: it
  # hands out memory that isn't there.
  -sMALLOC=dlmalloc
  # Every engine we support has a TextDecoder.
  -sTEXTDECODER=2
  -sSTACK_SIZE=128KB
  # The wrapper hands in the compiled module, so the glue neither fetches nor
  # reads files; nothing else can be configured from outside.
  -sINCOMING_MODULE_JS_API=instantiateWasm,wasmMemory
  -sEXPORTED_RUNTIME_METHODS=HEAPU8,wasmMemory)

function(add_core target name)
  cmake_parse_arguments(core "" "" "COMPILE;LINK" ${ARGN})
  add_executable(${target} ${core_sources} ${binding_sources})
  target_link_libraries(${target} PRIVATE reduce_flags)
  target_compile_options(${target} PRIVATE ${wasm_compile_options} ${core_COMPILE})
  target_link_options(${target} PRIVATE ${wasm_link_options} ${core_LINK})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX .mjs LINK_DEPENDS ${host_library})
endfunction()

add_core(core_wasm core
  LINK -O3
  # The glue must not name Node's modules: bundlers would look for them. It
  # runs in Node all the same, as it is given the bytes.
  -sENVIRONMENT=web -sMAXIMUM_MEMORY=4GB)

add_core(core_mt_wasm core-mt
  COMPILE -matomics -mbulk-memory
  # -O2, unlike -O3, leaves the names of imports and exports as they are, and
  # the workers need them: they instantiate the same .wasm without this glue.
  LINK -O2
  # Each worker sets its own stack before it calls anything.
  -Wl,--export=__stack_pointer
  -sENVIRONMENT=web,worker -sSHARED_MEMORY=1 -sIMPORTED_MEMORY=1 -sMAXIMUM_MEMORY=2GB
  # Only for the system libraries compiled with atomics, without which a
  # shared memory can't be linked; the workers are ours.
  -sWASM_WORKERS=1)

add_custom_target(wasm DEPENDS core_wasm core_mt_wasm)
