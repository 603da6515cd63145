# The native library, its tests and its fuzzers.

add_library(onnx_reduce STATIC ${core_sources})
target_compile_options(onnx_reduce PRIVATE ${core_options})
target_link_libraries(onnx_reduce PUBLIC reduce_flags)

file(GLOB test_sources CONFIGURE_DEPENDS tests/native/*_test.cc)
if(test_sources)
  find_package(GTest REQUIRED)
  find_package(Threads REQUIRED)
  file(GLOB_RECURSE support_sources CONFIGURE_DEPENDS tests/native/support/*.cc)
  add_executable(native_tests ${test_sources} ${support_sources})
  target_include_directories(native_tests PRIVATE tests/native bindings)
  # MPFR is the oracle: it shares no code with the core.
  target_link_libraries(native_tests PRIVATE onnx_reduce GTest::gtest_main Threads::Threads mpfr gmp)
  # Prints the digest of the corpus that tests/exact/corpus_hash.mjs prints, too.
  add_executable(corpus_hash tests/native/corpus_hash.cc ${support_sources})
  target_include_directories(corpus_hash PRIVATE tests/native)
  target_link_libraries(corpus_hash PRIVATE onnx_reduce mpfr gmp)
endif()

if(ONNX_REDUCE_FUZZ)
  file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/*.cc)
  foreach(source ${fuzz_sources})
    get_filename_component(name ${source} NAME_WE)
    # The core is compiled again with the fuzzer's coverage counters in it.
    add_executable(${name} ${source} ${core_sources} ${support_sources})
    target_include_directories(${name} PRIVATE tests/native)
    target_link_libraries(${name} PRIVATE reduce_flags mpfr gmp)
    target_compile_options(${name} PRIVATE -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  endforeach()
endif()
