// The grammar of SPL, and of the declarations in toolkit files.
//
// It accepts a little more than the language, where that makes messages
// better: ASTBuilder refuses the rest with a text of its own (mixed tuple
// bodies, `> =` with a blank, chained `?:`, prototypes in user files). There
// are no actions and no predicates here.
//
// `>>`, `>=` and `>>=` are not tokens, so that `list<list<T>>` closes.
grammar SPL;

//===--- files and declarations -------------------------------------------===

unit : namespaceDecl? useDecl* declaration* EOF ;

namespaceDecl : 'namespace' path ';' ;

useDecl : 'use' path '::' ( '*' | ID ) ';' ;

path : ID ( '.' ID )* ;

declaration : compositeDecl | functionDecl | typeAlias | operatorModel ;

annotation : '@' ID ( '(' ( keyValue ( ',' keyValue )* )? ')' )? ;

// A keyword is no key; sema says which keys there are.
keyValue : ( ID | 'attribute' | 'timestamp' | 'type' | 'window' | 'function' ) '=' expr ;

//===--- composites -------------------------------------------------------===

compositeDecl : annotation* 'public'? 'composite' ID signature? '{' compositeClause* '}' ;

signature : '(' ( portList ( ';' portList )? )? ')' ;

portList : ( 'output' | 'input' ) portDecl ( ',' portDecl )* ;

portDecl : streamType? ID ;

compositeClause : 'param' formal+
                | 'type' innerType+
                | 'graph' invocation+
                | 'config' setting+ ;

formal : formalMode ID ( ';' | ':' actual ';' ) ;

formalMode : 'attribute' | 'expression' ( '<' type '>' )? | 'function' | 'operator' | 'type' ;

// A bare name may be a type as well; it is read as an expression here.
actual : builtinType | expr ( ',' expr )* ;

innerType : 'static'? ID '=' tupleBody ';' ;

setting : ID ':' expr ( ',' expr )* ';' ;

//===--- invocations ------------------------------------------------------===

invocation : annotation* results '=' operatorName '(' ( inPort ( ';' inPort )* )? ')' '{' opClause* '}' ;

results : '(' ')' 'as' ID
        | outPort
        | '(' outPort ( ';' outPort )* ')' ( 'as' ID )? ;

outPort : streamType ID ( 'as' ID )? ;

operatorName : ( path '::' )? ID ;

inPort : streamType? ID ( ',' ID )* ( 'as' ID )? ;

opClause : 'logic' logicItem+
         | 'window' setting+
         | 'param' paramItem+
         | 'output' outputItem*
         | 'config' setting+ ;

// Without a keyword: `state` and `onProcess`, which are names elsewhere.
logicItem : ( 'onTuple' | 'onPunct' ) ID ':' statement
          | ID ':' statement ;

paramItem : ID ':' actual ';' ;

outputItem : ID ':' ( assignment ( ',' assignment )* )? ';' ;

assignment : ID '=' expr ;

//===--- functions --------------------------------------------------------===

// What follows a prototype's `:` are facts about it (modules/FunctionFacts.h).
functionDecl : typeVars? boundVars? ( 'public' | 'stateful' )* resultType ID
               '(' ( parameter ( ',' parameter )* )? ')'
               ( block | ( ':' modelWord ( ',' modelWord )* )? ';' ) ;

resultType : type | 'void' ;

parameter : 'mutable'? type ID? ;

typeVars : '<' typeVar ( ',' typeVar )* '>' ;

typeVar : typeClass ID ;

typeClass : 'composite' | 'enum' | 'list' | 'map' | 'optional' | 'set' | 'tuple' | 'xml' | ID ;

boundVars : '[' ID ( ',' ID )* ']' ;

//===--- operator models (toolkit files) ----------------------------------===

operatorModel : 'public'? 'operator' ID '{' modelClause* '}' ;

modelClause : ( 'input' | 'output' | 'param' | 'config' ) modelItem+
            | 'function' functionDecl+ ;

modelItem : ID ':' modelWord ( ',' modelWord )* ';' ;

modelWord : modelName ( '<' type '>' | '{' ID ( ',' ID )* '}' )? ;

modelName : ID | 'attribute' | 'boolean' | 'enum' | 'expression' | 'false' | 'function' | 'list'
          | 'map' | 'mutable' | 'operator' | 'optional' | 'set' | 'stateful' | 'static'
          | 'stream' | 'true' | 'tuple' | 'type' | 'window' ;

//===--- types ------------------------------------------------------------===

type : namedType | builtinType ;

namedType : ( path '::' )? ID ( '.' ID )? ;

builtinType : 'boolean' | 'int8' | 'int16' | 'int32' | 'int64' | 'uint8' | 'uint16' | 'uint32' | 'uint64'
            | 'float32' | 'float64' | 'decimal32' | 'decimal64' | 'decimal128' | 'complex32' | 'complex64'
            | 'timestamp' | 'blob' | 'ustring'
            | 'rstring' bound?
            | 'xml' ( '<' STRING '>' )?
            | 'enum' '{' ID ( ',' ID )* '}'
            | ( 'list' | 'set' ) '<' type '>' bound?
            | 'map' '<' type ',' type '>' bound?
            | 'optional' '<' type '>'
            | 'tuple' '<' tupleBody '>' ;

bound : '[' expr ']' ;

streamType : 'stream' '<' tupleBody '>' ;

// Attributes (all with a name), or tuple types to concatenate (all without).
tupleBody : tupleItem ( ',' tupleItem )* ;

tupleItem : type ID? ;

typeAlias : 'type' ID '=' tupleBody ';' ;

//===--- statements -------------------------------------------------------===

block : '{' blockItem* '}' ;

blockItem : statement | typeAlias ;

// `{` is always a block here (antlr/Prediction.h).
statement : block
          | localDecl
          | 'if' '(' expr ')' statement ( 'else' statement )?
          | 'for' '(' type ID 'in' expr ')' statement
          | 'while' '(' expr ')' statement
          | 'break' ';'
          | 'continue' ';'
          | 'return' expr? ';'
          | expr ';' ;

localDecl : 'mutable'? type declarator ( ',' declarator )* ';' ;

declarator : ID ( '=' expr )? ;

//===--- expressions ------------------------------------------------------===

// Highest precedence first. Comparisons share one level; `in` stands between
// `|` and `&&`.
expr : unary
     | expr '?:' expr
     | expr ( '*' | '/' | '%' | '.*' | './' | '.%' ) expr
     | expr ( '+' | '-' | '.+' | '.-' ) expr
     | expr ( '<<' | '>' '>' | '.<<' | '.>>' ) expr
     | expr ( '<' | '<=' | '>' | '>' '=' | '==' | '!=' | '.<' | '.<=' | '.>' | '.>=' | '.==' | '.!=' ) expr
     | expr ( '&' | '.&' ) expr
     | expr ( '^' | '.^' ) expr
     | expr ( '|' | '.|' ) expr
     | expr 'in' expr
     | expr '&&' expr
     | expr '||' expr
     | <assoc=right> expr '?' expr ':' expr
     | expr ( '=' | '+=' | '-=' | '*=' | '/=' | '%=' | '<<=' | '>' '>' '=' | '&=' | '^=' | '|=' ) expr ;

// The cast comes first: `(a) - b` and `(a)[0]` are casts.
unary : '(' type ')' unary
      | ( '!' | '-' | '~' | '++' | '--' ) unary
      | postfix ;

postfix : primary postfixOp* ;

postfixOp : '(' ( expr ( ',' expr )* )? ')'
          | '::' ID
          | '.' ID
          | '[' subscript ']'
          | '++' | '--' | '!' | '??' ;

subscript : expr | expr? ':' expr? ;

primary : '(' expr ')'
        | ID
        | INT | HEX | FLOAT | STRING | XMLTEXT | 'true' | 'false' | 'null'
        | '[' ( expr ( ',' expr )* )? ']'
        | '{' ( entry ( ',' entry )* )? '}' ;

entry : expr ( ':' expr )? ;

//===--- tokens -----------------------------------------------------------===

AS : 'as' ; ATTRIBUTE : 'attribute' ; BLOB : 'blob' ; BOOLEAN : 'boolean' ; BREAK : 'break' ;
COMPLEX32 : 'complex32' ; COMPLEX64 : 'complex64' ; COMPOSITE : 'composite' ; CONFIG : 'config' ;
CONTINUE : 'continue' ; DECIMAL32 : 'decimal32' ; DECIMAL64 : 'decimal64' ; DECIMAL128 : 'decimal128' ;
ELSE : 'else' ; ENUM : 'enum' ; EXPRESSION : 'expression' ; FALSE : 'false' ; FLOAT32 : 'float32' ;
FLOAT64 : 'float64' ; FOR : 'for' ; FUNCTION : 'function' ; GRAPH : 'graph' ; IF : 'if' ; IN : 'in' ;
INPUT : 'input' ; INT8 : 'int8' ; INT16 : 'int16' ; INT32 : 'int32' ; INT64 : 'int64' ; LIST : 'list' ;
LOGIC : 'logic' ; MAP : 'map' ; MUTABLE : 'mutable' ; NAMESPACE : 'namespace' ; NULL_ : 'null' ;
ONPUNCT : 'onPunct' ; ONTUPLE : 'onTuple' ; OPERATOR : 'operator' ; OPTIONAL : 'optional' ;
OUTPUT : 'output' ; PARAM : 'param' ; PUBLIC : 'public' ; RETURN : 'return' ; RSTRING : 'rstring' ;
SET : 'set' ; STATEFUL : 'stateful' ; STATIC : 'static' ; STREAM : 'stream' ; TIMESTAMP : 'timestamp' ;
TRUE : 'true' ; TUPLE : 'tuple' ; TYPE : 'type' ; UINT8 : 'uint8' ; UINT16 : 'uint16' ;
UINT32 : 'uint32' ; UINT64 : 'uint64' ; USE : 'use' ; USTRING : 'ustring' ; VAR : 'var' ; VOID : 'void' ;
WHILE : 'while' ; WINDOW : 'window' ; XML : 'xml' ;
// Kept for the future; any use is an error.
RESERVED : 'float128' | 'complex128' | 'matrix' ;

ID : '$'? [A-Za-z_] [A-Za-z0-9_]* ;

LPAREN : '(' ; RPAREN : ')' ; LBRACKET : '[' ; RBRACKET : ']' ; LBRACE : '{' ; RBRACE : '}' ;
COMMA : ',' ; SEMI : ';' ; COLON : ':' ; COLONCOLON : '::' ; DOT : '.' ; AT : '@' ;
QUESTION : '?' ; ORELSE : '?:' ; PRESENT : '??' ;
PLUS : '+' ; MINUS : '-' ; STAR : '*' ; SLASH : '/' ; PERCENT : '%' ;
AMP : '&' ; PIPE : '|' ; CARET : '^' ; TILDE : '~' ; BANG : '!' ; AMPAMP : '&&' ; PIPEPIPE : '||' ;
INC : '++' ; DEC : '--' ; EQ : '==' ; NE : '!=' ; LE : '<=' ; LT : '<' ; GT : '>' ; SHL : '<<' ;
ASSIGN : '=' ; PLUSEQ : '+=' ; MINUSEQ : '-=' ; STAREQ : '*=' ; SLASHEQ : '/=' ; PERCENTEQ : '%=' ;
SHLEQ : '<<=' ; AMPEQ : '&=' ; CARETEQ : '^=' ; PIPEEQ : '|=' ;
DOTPLUS : '.+' ; DOTMINUS : '.-' ; DOTSTAR : '.*' ; DOTSLASH : './' ; DOTPERCENT : '.%' ;
DOTAMP : '.&' ; DOTPIPE : '.|' ; DOTCARET : '.^' ; DOTSHL : '.<<' ; DOTSHR : '.>>' ;
DOTLT : '.<' ; DOTLE : '.<=' ; DOTGT : '.>' ; DOTGE : '.>=' ; DOTEQ : '.==' ; DOTNE : '.!=' ;

HEX : '0x' [0-9A-Fa-f]+ [su]? ;
INT : NUM SUFFIX? ;
FLOAT : ( NUM '.' [0-9]* EXPONENT? | '.' [0-9]+ EXPONENT? | NUM EXPONENT ) SUFFIX? ;
fragment NUM : '0' | [1-9] [0-9]* ;
fragment EXPONENT : [eE] [+-]? [0-9]+ ;
fragment SUFFIX : [sufd] [bhwlq]? | [bhwlq] [sufd]? ;
// A number with something stuck to it: `007`, `1.5x`.
BADNUMBER : ( [0-9]+ ( '.' [0-9]* )? | '.' [0-9]+ ) [A-Za-z0-9_]* ;

// Which escapes are legal is checked after scanning.
XMLTEXT : ( DQUOTED | SQUOTED ) 'x' ;
STRING : ( DQUOTED | SQUOTED ) [ru]? ;
fragment DQUOTED : '"' ( '\\' . | ~["\\] )* '"' ;
fragment SQUOTED : '\'' ( '\\' . | ~['\\] )* '\'' ;
OPENSTRING : ( '"' ( '\\' . | ~["\\] )* | '\'' ( '\\' . | ~['\\] )* ) '\\'? ;

SPACE : [ \t\r\n]+ -> channel(HIDDEN) ;
LINECOMMENT : '//' ~[\r\n]* -> channel(HIDDEN) ;
COMMENT : '/*' .*? '*/' -> channel(HIDDEN) ;
OPENCOMMENT : '/*' ;
ILLEGAL : [\u0080-\u00FF]+ | . ;
