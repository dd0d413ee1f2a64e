/// `#FullText`: indexes of words.
enum FullTextMacro: ModelDirective {
    static let name = "#FullText"
}
