/// `#Substring`: indexes of parts of texts.
enum SubstringMacro: ModelDirective {
    static let name = "#Substring"
}
