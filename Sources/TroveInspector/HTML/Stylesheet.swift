import TroveStoreTools

/// How the pages look, in light and dark, wide and narrow.
enum Stylesheet {
    /// A chest, for the tab of the browser.
    static let icon = ##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="1" y="4" width="14" height="10" rx="2" fill="#0a58a8"/><path d="M1 8h14M7 7h2v3H7z" stroke="#fff" fill="#fff"/></svg>"##

    static let text = """
        :root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d4dae1;--fill:#f4f6f9;--link:#0a58a8;--bad:#b3261e;--good:#1a7f37;--mark:#ffe08a}
        @media(prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--soft:#9aa4af;--line:#30363d;--fill:#161b22;--link:#6cb0f5;--bad:#ff8f87;--good:#56d364;--mark:#665200}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
        a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
        header{display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;padding:.6rem 1.2rem;border-bottom:1px solid var(--line);background:var(--fill)}
        .store{font-weight:600}.badge{font-size:12px;color:var(--soft);border:1px solid var(--line);border-radius:9px;padding:0 .5rem}
        nav{display:flex;gap:.2rem;flex-wrap:wrap;margin-left:auto}nav a{padding:.2rem .7rem;border-radius:6px}nav a[aria-current]{background:var(--link);color:var(--paper)}
        main{padding:1rem 1.2rem 3rem;max-width:90rem;margin:auto}
        h1{font-size:1.4rem;margin:.2rem 0 1rem;overflow-wrap:anywhere}h2{font-size:1.05rem;margin:1.8rem 0 .6rem}
        .wide{overflow-x:auto;border:1px solid var(--line);border-radius:6px}
        table{border-collapse:collapse;width:100%;font-size:14px}
        th,td{text-align:left;vertical-align:top;padding:.35rem .7rem;border-bottom:1px solid var(--line);max-width:26rem;min-width:3.5rem;overflow-wrap:break-word}
        th{font-weight:600;background:var(--fill);white-space:nowrap}tr:last-child td{border-bottom:0}
        .type,.aside,.nil{color:var(--soft);font-size:12px;font-weight:400}th .type{display:block}
        .number,.bytes,.nested,code,pre,textarea,.mono{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px}.number{white-space:nowrap}.act{white-space:nowrap;font-size:12px}td>.bytes{display:inline-block;min-width:11rem}.wide>.mono{white-space:pre;padding:0 .7rem}
        mark{background:var(--mark);color:inherit}
        dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.2rem;margin:0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
        form.query{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:.6rem;align-items:end;margin:0 0 1rem}form.query .grow{grid-column:1/-1}
        label{display:block;font-size:13px;color:var(--soft)}
        input,select,textarea,button{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:.35rem .55rem;width:100%;max-width:100%}
        textarea{min-height:14rem}button,.button{display:inline-block;width:auto;background:var(--fill);cursor:pointer;border:1px solid var(--line);border-radius:6px;padding:.35rem .9rem;color:var(--ink)}
        button.main{background:var(--link);color:var(--paper);border-color:var(--link)}button.danger{color:var(--bad);border-color:var(--bad)}
        .row{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center;margin:.8rem 0}
        .error{border-left:4px solid var(--bad);padding:.5rem .8rem;background:var(--fill);overflow-wrap:anywhere}
        .note{color:var(--soft)}.good{color:var(--good)}.bad{color:var(--bad)}
        .facets{display:flex;flex-wrap:wrap;gap:.4rem;margin:.4rem 0 1rem}.facets a{border:1px solid var(--line);border-radius:9px;padding:0 .6rem;max-width:100%;overflow-wrap:anywhere}
        .grid{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px;width:auto}.grid td{padding:.1rem .45rem;border:1px solid var(--line);text-align:center;white-space:nowrap}.grid td.place{color:var(--soft);border:0}
        .b-header{background:#dbeafe}.b-checksum{background:#e5e7eb}.b-nil{background:#fde68a}.b-fixed{background:#d1fae5}.b-ends{background:#fbcfe8}.b-variable{background:#ede9fe}
        @media(prefers-color-scheme:dark){.b-header{background:#1e3a5f}.b-checksum{background:#374151}.b-nil{background:#5b4a00}.b-fixed{background:#0f4d38}.b-ends{background:#5f1f43}.b-variable{background:#3b2f63}}
        .key{display:inline-block;padding:0 .4rem;border-radius:4px;font-size:12px}
        .drawing{overflow-x:auto;border:1px solid var(--line);border-radius:6px}.drawing svg{display:block;max-width:none}
        @media(max-width:40rem){main{padding:.8rem .7rem 2rem}header{padding:.5rem .7rem}nav{margin-left:0}dl{grid-template-columns:1fr;gap:.1rem}dd{margin-bottom:.5rem}th,td{padding:.3rem .5rem}}
        .drawing{\(SVGDrawing.style)}

        """
}
