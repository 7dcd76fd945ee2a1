#include "scenarios/format/yaml_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <clocale>
#include <cstdlib>
#include <random>

#include "kernels/core/error.hpp"
#include "tests/scenarios/scenario_files.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;

YamlNode parsed(const std::string& text) {
  auto source = std::make_shared<YamlSource>();
  source->label = "f";
  return parse_yaml(text, source);
}

std::string parse_error(const std::string& text) {
  try {
    parsed(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(YamlTree, KeepsLinesAndOrder) {
  const YamlNode root = parsed("b: 1\na:\n  d: [1, 2]\n  c: 'x'\n");
  ASSERT_EQ(root.children.size(), 2u);
  EXPECT_EQ(root.children[0].key, "b");
  EXPECT_EQ(location(root.children[1]), "f:2");
  EXPECT_EQ(location(*root.find("a")->find("c")), "f:4");
  EXPECT_TRUE(root.find("a")->find("c")->quoted);
  EXPECT_EQ(root.find("z"), nullptr);
}

TEST(YamlTree, RefusesDuplicateKeysAtAnyDepth) {
  EXPECT_EQ(parse_error("a: 1\nb:\n  c: 1\n  c: 2\n"), "f:4: b.c is given twice (keep one)");
}

TEST(YamlTree, RefusesWhatIsNotOneTextDocument) {
  EXPECT_NE(parse_error("a: [1, 2\n"), "");
  EXPECT_NE(parse_error("a: 1\n---\nb: 2\n"), "");
  EXPECT_NE(parse_error("a: !!python/object x\n"), "");
  EXPECT_NE(parse_error("[1, 2]: 3\n"), "");
  EXPECT_EQ(parse_error(std::string("a: \0b", 5)),
            "f: not a text file (byte 3 is neither UTF-8 text nor a line end)");
  EXPECT_NE(parse_error("a: \xff\xfe"), "");
  EXPECT_NE(parse_error("\x7f"
                        "ELF\x02\x01"),
            "");
}

TEST(YamlTree, ExpandsAliases) {
  const YamlNode root = parsed("a: &x [1, 2]\nb: *x\n");
  EXPECT_EQ(root.find("b")->children.size(), 2u);
  EXPECT_EQ(root.find("b")->line, 2);
}

TEST(YamlTree, RefusesAliasBombsLoopsAndDeepNestingQuickly) {
  const auto start = std::chrono::steady_clock::now();
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int k = 1; k < 12; ++k) {
    const std::string alias = "*a" + std::to_string(k - 1);
    std::string row = alias;
    for (int j = 1; j < 10; ++j) row += ", " + alias;
    bomb += "a" + std::to_string(k) + ": &a" + std::to_string(k) + " [" + row + "]\n";
  }
  EXPECT_THAT(parse_error(bomb), HasSubstr("more than 200000 values"));
  EXPECT_THAT(parse_error("a: &a [*a]\n"), HasSubstr("alias inside the value"));
  EXPECT_NE(parse_error(std::string(100000, '[')), "");
  EXPECT_NE(parse_error(std::string(100000, '{')), "");
  std::string blocks;
  for (int k = 0; k < 2000; ++k) blocks += std::string(static_cast<std::size_t>(k), ' ') + "a:\n";
  EXPECT_NE(parse_error(blocks), "");
  std::string chain;
  for (int k = 0; k < 50000; ++k) chain += "- ";
  EXPECT_NE(parse_error(chain), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(YamlTree, WritesNumbersAlikeInEveryLocale) {
  const char* const before = std::setlocale(LC_ALL, nullptr);
  const std::string saved = before ? before : "C";
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"}) {
    std::setlocale(LC_ALL, name);
    EXPECT_EQ(yaml_scalar(0.25).text, "0.25");
  }
  std::setlocale(LC_ALL, saved.c_str());
}

TEST(YamlTree, WritesWhatItReads) {
  const std::string text =
      "a: 1\n\"b c\": \"x: y # \\\"z\\\"\\n\\x07 \xc3\xa9\"\ng:\n  h: [1, -2.5]\n  l:\n    - {t: "
      "0, e: []}\nnone: null\nm: {}\n";
  const std::string written = write_yaml(parsed(text));
  EXPECT_EQ(write_yaml(parsed(written)), written);
  EXPECT_EQ(parsed(written).find("b c")->text, parsed(text).find("b c")->text);
  EXPECT_EQ(written, text);
}

TEST(YamlTree, WritesNumbersThatReadersOfYaml11TakeForNumbers) {
  const auto text = [](double value) { return yaml_scalar(value).text; };
  EXPECT_EQ(text(1e-7), "1.0e-07");
  EXPECT_EQ(text(-1e16), "-1.0e+16");
  EXPECT_EQ(text(2.5e-300), "2.5e-300");
  EXPECT_EQ(text(75e3), "75000");
  EXPECT_EQ(text(0.1), "0.1");
  for (const double value : {1e-7, -1e16, 5e-324, 1.7976931348623157e308})
    EXPECT_EQ(std::strtod(text(value).c_str(), nullptr), value);
}

TEST(YamlTree, QuotesTextsThatSomeReaderTakesForSomethingElse) {
  for (const char* text : {"",     "0",    "17", "1e5",  "0x1F", "1_000", "2026-11-21", "+1",  "-1",
                           ".inf", ".nan", "~",  "null", "Null", "true",  "False",      "yes", "NO",
                           "on",   "Off",  "y",  "N",    "a b",  "a: b",  "1:30"})
    EXPECT_TRUE(yaml_text(text).quoted) << text;
  for (const char* text : {"a", "x_min", "mat-2", "bodies.mat.friction", "onto", "nan", "e5"})
    EXPECT_FALSE(yaml_text(text).quoted) << text;
  YamlNode map;
  map.kind = YamlKind::map;
  for (const char* key : {"on", "y", "2", "by"}) {
    YamlNode& child = map.children.emplace_back(yaml_text("off"));
    child.key = key;
  }
  const std::string written = write_yaml(map);
  EXPECT_EQ(written, "\"on\": \"off\"\n\"y\": \"off\"\n\"2\": \"off\"\nby: \"off\"\n");
  EXPECT_EQ(write_yaml(parsed(written)), written);
}

TEST(YamlTree, ShowsAnyValueOnOneLine) {
  YamlNode node = yaml_text(std::string(100, 'a'));
  EXPECT_EQ(shown(node), std::string(60, 'a').append("..."));
  node.text = "a\nb\x01";
  EXPECT_EQ(shown(node), "a?b?");
}

/// Broken copies of a good file end in a tree or in an InputError of one line.
TEST(YamlTree, SurvivesRandomDamage) {
  std::mt19937 random(7);
  const std::string good = test::kGoodScenario;
  const std::string pieces = "{}[]:,&*!|>'\"%@`#-?~ \n\t0a\\.";
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text = good;
    const int n_change = 1 + static_cast<int>(random() % 8);
    for (int k = 0; k < n_change; ++k) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          text.insert(at, 1, pieces[random() % pieces.size()]);
          break;
        case 2:
          text.erase(at, 1 + random() % 20);
          break;
        default:
          text.resize(at + 1);
      }
      if (text.empty()) text = " ";
    }
    const std::string error = parse_error(text);
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace nodia
